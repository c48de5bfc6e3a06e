/*
 * lesson09, elementwise: what an operation costs.
 *
 * Every element is read, changed and written by itself. Such a kernel has two costs: its bytes and its
 * operations. The device works on both at the same time, so the larger of the two decides. A sine takes some
 * twenty operations, and a GPU does about that many in the time in which it moves the 8 bytes of a float that
 * is read and written. So for most functions the bytes decide, and there are two ways to be faster: move
 * enough bytes at a time (16 a thread and load), and move fewer of them (one kernel instead of three).
 *
 * elementwise.h says what each public function must do. n counts elements.
 */
#include "elementwise.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256
#define MOST    2147483647 /* blocks that a grid may have in x */

/* Blocks for `count` loads, one a thread: when a block ends, the next one begins while others wait for memory. On an
 * H100 a grid of 65536 blocks, whose threads go on in strides, takes 1.035 times as long for 10^9 floats. */
static unsigned blocks_for(size_t count) {
  const size_t blocks = (count + THREADS - 1) / THREADS;
  return blocks < MOST ? (unsigned)blocks : MOST;
}

/* TODO task 1: a kernel for floats and one for doubles, or one template for both. Each thread starts at its
 * own element and goes on in strides of the whole grid. Which function is the sine of a float? */

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  /* TODO task 1: launch your kernel. For n = 0 launch nothing: a grid of 0 blocks is an error. */
  return cudaSuccess;
}

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) {
  /* TODO task 1: the same for doubles. */
  return cudaSuccess;
}

/* TODO task 2: a kernel that computes SELU. What is 1.05 * x, if x is a float? */

cudaError_t selu(const float *d_x, float *d_y, size_t n) {
  /* TODO task 2: launch it. */
  return cudaSuccess;
}

/* Given: the three kernels of chain. Each reads n floats and writes n floats. */
__global__ void normalise_kernel(const float *d_x, float *d_t, size_t n, float mean, float gain) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_t[i] = (d_x[i] - mean) * gain;
}

__global__ void squash_kernel(const float *d_t, float *d_u, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_u[i] = 1 / (1 + expf(-d_t[i]));
}

__global__ void spread_kernel(const float *d_u, float *d_y, size_t n, float low, float high) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_y[i] = low + (high - low) * d_u[i];
}

/* TODO task 3: one kernel in which t and u are registers. */

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  /* TODO task 3: launch it. */
  return cudaSuccess;
}

/* TODO task 4: a function that brings x into [-pi, pi], and a kernel that adds k times __sinf of that. */

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) {
  /* TODO task 4: launch it. */
  return cudaSuccess;
}

/* TODO go further: the time of one call of the host; the time of copy in, sin_map_float, copy out. */

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  /* TODO go further: allocate; for n = 1, 2, 4 ... measure both, until the GPU takes less time; free. */
  return cudaSuccess;
}
