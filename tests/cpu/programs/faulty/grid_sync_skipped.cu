// expect: synccheck: relax
// says: synchronise the grid; every thread of every block must reach it
/* The threads beyond the end return before the grid synchronises. */
#include "program.h"
#include <cooperative_groups.h>

__global__ void relax(float *a, float *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) b[i] = 0.5f * a[i];
  cooperative_groups::this_grid().sync();
  if (i < n) a[i] = b[n - 1 - i];
#else
  if (i >= n) return;
  b[i] = 0.5f * a[i];
  cooperative_groups::this_grid().sync(); // <- at
  a[i] = b[n - 1 - i];
#endif
}

int main() {
  int n = 200;
  float *a, *b;
  if (cudaMalloc(&a, n * sizeof(float)) || cudaMalloc(&b, n * sizeof(float))) return 1;
  cudaMemset(a, 0, n * sizeof(float));
  void *arguments[] = {&a, &b, &n};
  cudaLaunchCooperativeKernel((void *)relax, dim3(4), dim3(64), arguments, 0, 0);
  const cudaError_t error = cudaDeviceSynchronize();
#ifndef FIXED
  if (error != cudaErrorLaunchTimeout) return 1;
#endif
  cudaFree(a);
  cudaFree(b);
  return error != cudaSuccess;
}
