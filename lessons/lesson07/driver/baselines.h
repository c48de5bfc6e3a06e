/*
 * baselines.h: what lesson07's functions are timed against. The harness's own code, not the learner's; each
 * takes the case of the task that it is compared with and does the same work on the same arrays.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a case's arrays and sizes are: the driver's tables keep to it. */
enum { D_A, D_B, D_C };
enum { M, N, K, TILE, SIDE = 0 }; /* SIDE: the size of the tasks with m = n = k */

/* A thread for each element; neighbouring threads in the same column, or in the same row. They return a CUDA
 * status, as all of these. */
int uncoalesced_call(const wb_case *c);
int naive_call(const wb_case *c);

/*
 * cuBLAS in the type of the matrices: CUBLAS_PEDANTIC_MATH, so never in TF32. It is opened when it is needed
 * first, in a warm-up call, and not linked: a learner's file that calls it does not link. Where it is not
 * installed: cudaErrorSharedObjectInitFailed, with a line on standard error.
 */
int cublas_call(const wb_case *c);
int cublas_double_call(const wb_case *c);
int cublas_square_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
