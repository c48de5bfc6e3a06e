// expect: racecheck: two_steps
// says: global memory that a thread of another block; a second launch
/* __syncthreads waits for the block, not for the grid: the second step reads what other blocks may not have
 * written. */
#include "program.h"

__global__ void first_step(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = i;
}

__global__ void two_steps(int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
  if (i < n) a[i] = i; // <- at
  __syncthreads();
#endif
  if (i < n) b[i] = a[n - 1 - i]; // <- at
}

int main() {
  const int n = 256;
  int *a, *b;
  CHECK(cudaMalloc(&a, n * sizeof *a));
  CHECK(cudaMalloc(&b, n * sizeof *b));
  CHECK(cudaMemset(a, 0, n * sizeof *a));
#ifdef FIXED
  first_step<<<4, 64>>>(a, n);
#else
  first_step<<<4, 64>>>(b, n);
#endif
  two_steps<<<4, 64>>>(a, b, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
