/*
 * baselines.h: the baselines of lesson08's functions. The harness's own code, not the learner's. Each takes
 * the case of the task that it is compared with and does the same work on the same arrays.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The case of `solve`: one cell a thread, two plates in turn, a check every `check_every` sweeps. Both
 * baselines return a CUDA status. */
int simple_solve_call(const wb_case *c);

/* The case of `sweeps`: as many sweeps of one cell a thread. The result may end in d_work. */
int simple_sweeps_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
