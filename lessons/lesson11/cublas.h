/*
 * lesson11, cublas: the functions you write, in cublas.cu. README.md is the lesson.
 *
 * Matrices are floats by rows, as C has them: A is m x k, B is k x n, C is m x n. d_ is memory of the device,
 * h_ of the host. m, n, k and `batch` may be 0: a C without elements stays as it is, and with k = 0 every
 * element of C becomes 0. What C held before does not matter, be it NaN. A, B and all results are finite, and 0 and
 * -0 count as equal.
 *
 * `handle` is the caller's, from cublasCreate. Its pointer mode is CUBLAS_POINTER_MODE_HOST and its math mode
 * CUBLAS_DEFAULT_MATH, and both are so again when your function returns. Its stream may be any: all work, of
 * cuBLAS and of your kernels, goes into `stream`, which does not wait for the default stream. The handle may
 * keep that stream. Tasks 1, 3, 4 and further queue their work and return without waiting for it.
 *
 * Each function returns cudaSuccess, or the error of the first call that failed; for one of cuBLAS that is
 * cuda_error(status). What it allocates or creates, it releases.
 */
#ifndef LESSON_CUBLAS_H
#define LESSON_CUBLAS_H

#include <cublas_v2.h>
#include <cuda_runtime.h>
#ifdef CUCC /* the CPU backend; only this header asks for it: your code is the same wherever it runs */
#include <mma.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* What your functions return when a call of cuBLAS returned `status`. */
static inline cudaError_t cuda_error(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return cudaSuccess;
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return cudaErrorInitializationError;
  case CUBLAS_STATUS_ALLOC_FAILED:
    return cudaErrorMemoryAllocation;
  case CUBLAS_STATUS_INVALID_VALUE:
    return cudaErrorInvalidValue;
  case CUBLAS_STATUS_ARCH_MISMATCH:
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return cudaErrorNotSupported;
  case CUBLAS_STATUS_EXECUTION_FAILED:
    return cudaErrorLaunchFailure;
  default:
    return cudaErrorUnknown;
  }
}

/* Task 1. C = A * B by one call of cublasSgemm. Row r of A begins at d_a + r * lda, and so on: lda >= k,
 * ldb >= n, ldc >= n, all at least 1. What lies between the rows of C stays as it is. */
cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc);

/*
 * Task 2. How long a product takes, in milliseconds, until it is done:
 *     h_ms[0]  the first call, with all that only a first call does
 *     h_ms[1]  a warm call: the time of `calls` (at least 1) further calls, divided by their number
 * product(data) queues one product in `stream` and returns without waiting for it. Call it 1 + `calls` times,
 * or more often. It may fail: then return its error.
 */
cudaError_t time_gemm(cudaError_t (*product)(void *data), void *data, cudaStream_t stream, int calls,
                      double *h_ms);

/*
 * Task 3. C_i = A_i * B_i for i = 0, 1, ..., batch - 1, by one call of cuBLAS. A_i begins at
 * d_a + i * stride_a, and so on; the strides count floats, and rows follow each other without gaps. With
 * stride_a = 0 all products have the same A. What lies between the C_i stays as it is.
 */
cudaError_t gemm_batch(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int batch,
                       const float *d_a, long long stride_a, const float *d_b, long long stride_b, float *d_c,
                       long long stride_c);

/*
 * Task 4. C = A * B, as exact as `bound` asks for, by the cheapest of three ways that is. No element is off
 * by more than error * (|a_0 b_0| + |a_1 b_1| + ... over the k terms of its sum):
 *
 *     way                                                       calls of cuBLAS    error
 *     one product with TF32 inputs                              1                  2^-9
 *     three products with TF32 inputs, of A and B split in two  3                  2^-20 + k * 2^-25
 *     one product in float                                      1                  float's roundings
 *
 * If the first error is at most `bound`, take the first way, else the second if its error is, else the third.
 * k is at most 2^14. Rows follow each other without gaps. d_work has room for 2 (m k + k n) floats.
 */
cudaError_t gemm_to(cublasHandle_t handle, cudaStream_t stream, double bound, int m, int n, int k,
                    const float *d_a, const float *d_b, float *d_c, float *d_work);

/* Go further, first step. C = A * B by TF32 products of cuBLAS alone, with an error of at most 2^-17 whatever
 * k is (in the sense of task 4). d_work is as in task 4. */
cudaError_t gemm_split(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a,
                       const float *d_b, float *d_c, float *d_work);

/* Go further, second step. C = A * B by tensor cores in a kernel of your own, without cuBLAS, with an error
 * of at most 2^-18 whatever k is: by nvcuda::wmma of <mma.h>, or by warp_mma below. m and n are at most
 * 1,000,000. A device of a compute capability below 8.0 has no TF32: return cudaErrorNotSupported. */
cudaError_t gemm_tensor(cudaStream_t stream, int m, int n, int k, const float *d_a, const float *d_b,
                        float *d_c);

#ifdef __cplusplus
}
#endif

#ifdef __CUDACC__
/*
 * Go further, for gemm_tensor: one instruction of tensor cores, which you call and do not change.
 * nvcuda::wmma hides which lane of a warp holds which number of a tile. Here you know it.
 *
 * D += A * B on tensor cores: D is 16 x 8 floats, A 16 x 8 and B 8 x 8 numbers of TF32. All 32 lanes of a
 * warp call it together, each with its part of the three tiles. Lane l has the row (or column) g = l / 4
 * and the pair q = l % 4:
 *
 *     a[0] = A[g][q]        a[1] = A[g + 8][q]          d[0] = D[g][2 q]        d[1] = D[g][2 q + 1]
 *     a[2] = A[g][q + 4]    a[3] = A[g + 8][q + 4]      d[2] = D[g + 8][2 q]    d[3] = D[g + 8][2 q + 1]
 *     b[0] = B[q][g]        b[1] = B[q + 4][g]
 *
 * The last 13 bits of a float in a and b are ignored. Below a compute capability of 8.0 it does nothing.
 */
static __device__ __forceinline__ void warp_mma(float d[4], const float a[4], const float b[2]) {
#ifdef CUCC /* the CPU backend runs no PTX */
  cucc_warp_mma(d, a, b);
#elif __CUDA_ARCH__ >= 800
  asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"
      " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(__float_as_uint(a[0])), "r"(__float_as_uint(a[1])), "r"(__float_as_uint(a[2])),
        "r"(__float_as_uint(a[3])), "r"(__float_as_uint(b[0])), "r"(__float_as_uint(b[1])));
#endif
}

#endif

#endif
