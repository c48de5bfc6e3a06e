/* The self-test's right answer: one element for each thread. */
#include "double.h"

#define THREADS 256

static __global__ void double_kernel(int n, float *d_x) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] *= 2;
}

cudaError_t double_array(int n, float *d_x) {
  if (n == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  double_kernel<<<(n + THREADS - 1) / THREADS, THREADS>>>(n, d_x);
  return cudaGetLastError();
}
