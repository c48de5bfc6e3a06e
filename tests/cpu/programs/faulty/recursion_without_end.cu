// expect: memcheck: count
// says: stack overflow; recursion
/* The depth of a list whose last element points at the first one. */
#include "program.h"

__device__ int depth(const int *next, int i) { // <- at
  volatile int here = next[i];                 // <- at
  if (here < 0) return 1;
  const int below = depth(next, here); // <- at
  return here < 0 ? 0 : 1 + below;     // <- at
} // <- at

__global__ void count(const int *next, int *depths) { depths[threadIdx.x] = depth(next, 0); }

int main() {
  int h[3] = {1, 2, 0}, *next, *depths;
#ifdef FIXED
  h[2] = -1;
#endif
  if (cudaMalloc(&next, sizeof h) || cudaMalloc(&depths, 32 * sizeof(int))) return 1;
  cudaMemcpy(next, h, sizeof h, cudaMemcpyHostToDevice);
  count<<<1, 32>>>(next, depths);
  const cudaError_t error = cudaDeviceSynchronize();
#ifndef FIXED
  if (error != cudaErrorIllegalAddress) return 1;
#endif
  cudaFree(next);
  cudaFree(depths);
  return error != cudaSuccess;
}
