/* stopwatch.h: how true the times are that time_gemm reports. */
#ifndef STOPWATCH_H
#define STOPWATCH_H

#include "wb.h"

#define WAITING_SIDE   5 /* of matrices whose products take long times of their own */
#define SECOND_LOST    (-1.0)
#define NOT_THE_MEAN   (-2.0)
#define STEPS          (-3.0)
#define WITHOUT_WARM   (-4.0)
#define TIME_TOLERANCE 0.15

/*
 * Calls time_gemm with a product of which the driver knows when it was called and how long its work took,
 * by events around it. That gives two limits: a time is at least as long as the work that it covers, and at
 * most as long as the span in which it must have been taken. ratio[0] and ratio[1] (first, warm) are 1 for a
 * time between the two limits, 1000 or 0.001 for one that is between them in another unit, else the time
 * divided by the limit that it passes; SECOND_LOST for one that is right with a second or two more; NOT_THE_MEAN
 * for one as short as most warm calls where another one takes far longer; STEPS for times that are multiples of
 * 1/16 ms; WITHOUT_WARM for a first one that is right with a warm one added. The last two are for times that are
 * off by more than TIME_TOLERANCE. *missing: by how many the calls were too few. *ignored: 1 if the error of a
 * warm call was not returned, which is tried with empty matrices. Returns time_gemm's status.
 */
int watch_time_gemm(const wb_case *c, double ratio[2], uint32_t *missing, uint32_t *ignored);

#endif
