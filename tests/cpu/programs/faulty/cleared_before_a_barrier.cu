// expect: racecheck: total
// says: global memory that a thread of another block; a plain access to a value that others update atomically
/* Thread 0 of the first block clears the sum. The barrier orders its own block only. */
#include "program.h"

__global__ void total(const int *in, int *sum, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
  if (i == 0) *sum = 0; // <- at
  __syncthreads();
#endif
  if (i < n) atomicAdd(sum, in[i]); // <- at
}

int main() {
  const int n = 256;
  int h[n], *in, *sum;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&sum, sizeof *sum));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  total<<<4, 64>>>(in, sum, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(sum));
}
