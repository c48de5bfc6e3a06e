// expect: racecheck+initcheck: count_positive
// says: global memory that; a plain access to a value that others update atomically
/* Thread 0 clears the counter at the start of the kernel that counts. */
#include "program.h"

__global__ void count_positive(const int *in, int *count, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifndef FIXED
  if (i == 0) *count = 0; // <- at
#endif
  if (i < n && in[i] > 0) atomicAdd(count, 1); // <- at
}

int main() {
  const int n = 256;
  int h[n], *in, *count;
  for (int i = 0; i < n; i++) h[i] = i + 1;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&count, sizeof *count));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  CHECK(cudaMemset(count, 0, sizeof *count));
#endif
  count_positive<<<4, 64>>>(in, count, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(count));
}
