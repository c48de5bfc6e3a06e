/*
 * baselines.h: the baselines of lesson07's functions. The harness's own code, not the learner's. Each takes
 * the case of the task that it is compared with and does the same work on the same arrays.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays and sizes: the driver's tables use this order. */
enum { D_A, D_B, D_C };
enum { M, N, K, TILE, SIDE = 0 }; /* SIDE: the size of the tasks with m = n = k */

/* A thread for each element; neighbouring threads in the same column, or in the same row. Like all baselines
 * here they return a CUDA status. */
int uncoalesced_call(const wb_case *c);
int naive_call(const wb_case *c);

/*
 * cuBLAS in the type of the matrices: CUBLAS_PEDANTIC_MATH, so never in TF32. The first call, a warm-up,
 * opens the library. It is not linked, so a learner's file that calls it does not link. If it is not
 * installed, these return cudaErrorSharedObjectInitFailed and print a line on standard error.
 */
int cublas_call(const wb_case *c);
int cublas_double_call(const wb_case *c);
int cublas_square_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
