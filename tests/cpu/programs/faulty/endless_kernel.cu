// expect: synccheck: search
// says: does not end; CUCC_KERNEL_LIMIT
// with: CUCC_KERNEL_LIMIT=0.5
/* Looks for a value that is not there: without a bound the loop never ends. */
#include "program.h"

__global__ void search(const int *values, int n, int wanted, int *place) {
  int i = threadIdx.x % n;
#ifdef FIXED
  for (int tries = 0; tries < n && values[i] != wanted; tries++) i = (i + 1) % n;
#else
  while (values[i] != wanted) i = (i + 1) % n; // <- at
#endif
  if (threadIdx.x == 0) *place = i;
}

int main() {
  int *values, *place;
  if (cudaMalloc(&values, 40)) return 1;
  if (cudaMalloc(&place, 4)) return 1;
  cudaMemset(values, 0, 40);
  search<<<1, 64>>>(values, 10, 7, place);
  cudaError_t error = cudaDeviceSynchronize();
#ifndef FIXED
  if (error != cudaErrorLaunchTimeout) return 1;
#endif
  cudaFree(values);
  cudaFree(place);
  return error != cudaSuccess;
}
