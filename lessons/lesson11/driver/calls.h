/* calls.h: the calls of the learner's functions, for wb_task.call. Each returns the function's status. */
#ifndef CALLS_H
#define CALLS_H

#include "wb.h"

/* The ways of gemm_to, as in the table of cublas.h. */
enum { IN_ONE, IN_THREE, IN_FLOAT, WAYS };

/* Which of its three calls comes last where a case has one for each way: the answer is that one's. */
int last_way(const wb_case *c);
/* The error of IN_THREE, by the same table. */
double split_error(const wb_case *c);

int call_gemm(const wb_case *c);
int call_time_gemm(const wb_case *c);
int call_batch(const wb_case *c);
int call_gemm_to(const wb_case *c);
int call_split(const wb_case *c);
int call_tensor(const wb_case *c);

#endif
