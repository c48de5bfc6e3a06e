/*
 * lessonNN, lesson_name: TEMPLATE: in one sentence, what this file does and why.
 *
 * TEMPLATE: what a reader must know first. lesson_name.h says what each function must do. d_ is
 * device memory; sizes are in elements.
 */
#include "lesson_name.h"

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256

// #region task-1
//: /* TODO task 1: a kernel that does element i = blockIdx.x * blockDim.x + threadIdx.x, where i < n. */
/* One element a thread: 12 bytes for two operations, so memory limits the speed. */
static __global__ void saxpy_kernel(int n, float factor, const float *d_x, float *d_y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = factor * d_x[i] + d_y[i];
}
// #endregion task-1

cudaError_t saxpy(int n, float factor, const float *d_x, float *d_y) {
  // #region task-1
  //: /* TODO task 1: launch it with enough blocks of THREADS threads; return the result of cudaGetLastError. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  const int blocks = (int)(((long long)n + THREADS - 1) / THREADS);
  saxpy_kernel<<<blocks, THREADS>>>(n, factor, d_x, d_y);
  return cudaGetLastError();
  // #endregion task-1
}
