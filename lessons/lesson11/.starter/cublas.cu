/*
 * lesson11, cublas: products by a library.
 *
 * cuBLAS has matrices by columns, C by rows. The bytes of a matrix by rows are those of its transpose by
 * columns, and C = A B means C^T = B^T A^T: hand B over as the first factor, A as the second, n as the rows
 * and m as the columns, and no number needs to move.
 *
 * cublas.h says what each function must do. d_ is memory of the device.
 */
#include "cublas.h"

#include <cuda_pipeline.h>
#include <stdint.h>
#include <time.h>

/* What a leading dimension must be at least, in a matrix without rows, too. */
static int at_least_1(int n) { return n > 1 ? n : 1; }

cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc) {
  /* TODO task 1: put `stream` into the handle, then call cublasSgemm. It takes matrices by columns: which
   * of the two is the first factor, and what are its rows? */
  return cudaSuccess;
}

/* TODO task 2: a clock of the host, in milliseconds; or events. */

cudaError_t time_gemm(cudaError_t (*product)(void *data), void *data, cudaStream_t stream, int calls,
                      double *h_ms) {
  /* TODO task 2: when is a product done? Time the first call, then the others together. */
  return cudaSuccess;
}

cudaError_t gemm_batch(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int batch,
                       const float *d_a, long long stride_a, const float *d_b, long long stride_b, float *d_c,
                       long long stride_c) {
  /* TODO task 3: as task 1, by cublasSgemmStridedBatched: one call for all products. */
  return cudaSuccess;
}

/* TODO task 4: a product with TF32 inputs (cublasGemmEx names the type of computation for a call), and a
 * kernel that splits each float x into hi + lo: hi is x rounded to the 11 bits that TF32 has, lo the
 * rest. */

cudaError_t gemm_to(cublasHandle_t handle, cudaStream_t stream, double bound, int m, int n, int k,
                    const float *d_a, const float *d_b, float *d_c, float *d_work) {
  /* TODO task 4: which way is the cheapest that the bound allows? */
  return cudaSuccess;
}

cudaError_t gemm_split(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a,
                       const float *d_b, float *d_c, float *d_work) {
  /* TODO go further: the second way of task 4, but a tensor core may sum only so many terms that its
   * error stays small. Who adds those sums? */
  return cudaSuccess;
}

/* TODO go further: a kernel of tensor cores. Begin with nvcuda::wmma's tiles of 16 x 16 x 8,
 * precision::tf32, from <mma.h>; cublas.h has a faster instruction. */

cudaError_t gemm_tensor(cudaStream_t stream, int m, int n, int k, const float *d_a, const float *d_b,
                        float *d_c) {
  /* TODO go further: launch it. */
  return cudaSuccess;
}
