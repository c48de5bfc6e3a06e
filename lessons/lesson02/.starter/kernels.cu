/*
 * lesson02, kernels: from a loop to a kernel, and the five steps around it.
 *
 * A kernel is the body of a loop. The launch kernel<<<blocks, threads>>>(...) runs that body once per thread,
 * and each thread computes from blockIdx, blockDim and threadIdx which element is its own. The kernel is one
 * of five steps: allocate on the device, copy in, launch, copy out, free.
 *
 * kernels.h says what each function must do. h_ is host memory, d_ device memory; sizes in elements unless
 * named bytes.
 */
#include "kernels.h"

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256

/* TODO task 1: n / d rounded up: how many blocks cover n elements if each block does d of them? */
static int ceil_div(int n, int d) { return 0; }

/* TODO task 1: a kernel that multiplies d_x[i] by factor for its own i, and does nothing if i >= n. */

cudaError_t scale_array(float *h_x, int n, float factor) {
  /* TODO task 1: the five steps. Allocate d_x, copy h_x there, launch, copy back, free. */
  return cudaSuccess;
}

/* TODO task 2: a kernel that writes d_a[i] + d_b[i] into d_c[i]. */

cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
  /* TODO task 2: launch it. The arrays are already on the device: no allocation, no copies. */
  return cudaSuccess;
}

cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads) {
  /* TODO task 3: the five steps with your kernel of task 2, in blocks of `threads`, every call checked. */
  return cudaSuccess;
}

/* TODO go further: a kernel in which each thread moves 16 bytes at a time (float4). */

cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n) {
  /* TODO go further: launch it; n need not be a multiple of 4. */
  return cudaSuccess;
}
