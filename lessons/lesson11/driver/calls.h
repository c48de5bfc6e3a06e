/* calls.h: the calls of the learner's functions, for wb_task.call. Each returns the function's status. */
#ifndef CALLS_H
#define CALLS_H

#include "wb.h"

int call_gemm(const wb_case *c);
int call_time_gemm(const wb_case *c);
int call_batch(const wb_case *c);
int call_gemm_to(const wb_case *c);
int call_split(const wb_case *c);
int call_tensor(const wb_case *c);

#endif
