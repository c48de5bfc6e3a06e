/*
 * lesson02, kernels: what you write in kernels.cu.
 *
 * Pointers that start with h_ are host memory, those with d_ are device memory; all arrays hold n floats.
 * Every function returns cudaSuccess or the first CUDA error that occurred, and frees what it allocated. n may
 * be 0: then there is nothing to do, and nothing that can fail.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. Multiplies every element of h_x by factor, on the GPU: the five steps. */
cudaError_t scale_array(float *h_x, int n, float factor);

/* Task 2. d_c[i] = d_a[i] + d_b[i]: only the kernel and its launch. The arrays are already on the device. */
cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n);

/*
 * Task 3. All five steps of h_c[i] = h_a[i] + h_b[i], in blocks of `threads` threads, with every call
 * checked. If a call fails (1025 threads are too many), the function returns that error, leaves h_c unchanged
 * and frees everything that it allocated.
 */
cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads);

/* Go further. As task 2, at 0.9 of the speed of a device copy or better. All arrays start at a multiple of 16
 * bytes. */
cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n);

#ifdef __cplusplus
}
#endif
#endif
