/* baselines.h: the baseline of lesson10's functions. */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays, for all tasks of this lesson. */
enum { PROBLEM, D_WORK, RESULT, DIFFERENT };

/* Operations that are counted for one call of f: some 12 multiply-adds and 6 others in double. */
#define FLOPS_OF_F 30.0

/*
 * f alone, again and again, as fast as the device computes it: the argument of the sine grows in a register,
 * and each thread has several sums. Work: the calls of f, times FLOPS_OF_F.
 */
int sines_call(const wb_case *c);
double sines_work(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
