/*
 * lesson07, matmul: what you write in matmul.cu.
 *
 * All functions compute C = A * B for matrices row by row in device memory: A has m rows and k columns, B has
 * k rows and n columns, C has m rows and n columns. So C[i][j] = d_c[i * n + j] is the sum of
 * d_a[i * k + p] * d_b[p * n + j] over p < k. Any m, n and k from 0 on, m and n up to 500,000; with k = 0 all
 * of C is 0. All arrays begin at a multiple of 16 bytes. C is uninitialised on entry. A and B may hold infinities and
 * NaNs: a sum with one infinity is infinite.
 *
 * The functions allocate nothing, copy nothing and need not wait for their kernels. They return cudaSuccess
 * or the first CUDA error that occurred. A sum needs no larger type than the matrices have, float or double.
 */
#ifndef MATMUL_H
#define MATMUL_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Given: one thread for each element of C, and neighbouring threads of a warp in the same column. */
cudaError_t matmul_uncoalesced(const float *d_a, const float *d_b, float *d_c, int m, int n, int k);

/* Task 1. One thread for each element of C, and neighbouring threads of a warp in the same row. */
cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k);

/* Task 2. One thread for each element of C, in blocks of 16 x 16; A and B are read through tiles of 16 x 16
 * in shared memory. */
cudaError_t matmul_tiled(const float *d_a, const float *d_b, float *d_c, int m, int n, int k);

/* Task 3. As task 2 for doubles, in tiles of `tile` x `tile`, 16 or 32, and blocks of tile x tile threads or
 * fewer. For any other tile return cudaErrorInvalidValue and leave C unchanged. */
cudaError_t matmul_tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k,
                                int tile);

/* Go further. As fast as you can: several elements of C in the registers of each thread. */
cudaError_t matmul_fast(const float *d_a, const float *d_b, float *d_c, int m, int n, int k);

/*
 * The ladder: versions from slow to fast, each with what it changes and the shapes it can do.
 * tests/jobs/gpu/ladder07 times all entries of matmul_stages, up to the one without a name.
 */
typedef struct matmul_stage {
  const char *name, *idea, *constraints;
  cudaError_t (*function)(const float *d_a, const float *d_b, float *d_c, int m, int n, int k);
} matmul_stage;

extern const matmul_stage matmul_stages[];

#ifdef __cplusplus
}
#endif
#endif
