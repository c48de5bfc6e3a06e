// expect: synccheck: relax
// says: were not launched to run at the same time; cudaLaunchCooperativeKernel
/* The grid synchronises, but the kernel was launched like any other. */
#include "program.h"
#include <cooperative_groups.h>

__global__ void relax(float *a, float *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = 0.5f * a[i];
  cooperative_groups::this_grid().sync(); // <- at
  if (i < n) a[i] = b[n - 1 - i];
}

int main() {
  int n = 200;
  float *a, *b;
  if (cudaMalloc(&a, n * sizeof(float)) || cudaMalloc(&b, n * sizeof(float))) return 1;
  cudaMemset(a, 0, n * sizeof(float));
#ifdef FIXED
  void *arguments[] = {&a, &b, &n};
  cudaLaunchCooperativeKernel((void *)relax, dim3(4), dim3(64), arguments, 0, 0);
#else
  relax<<<4, 64>>>(a, b, n);
#endif
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
#ifndef FIXED
  return error != cudaErrorLaunchFailure;
#endif
  return error != cudaSuccess;
}
