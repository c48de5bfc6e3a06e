// expect: racecheck: maximum
// says: global memory that; atomic function
/* Read, compare, write: between the read and the write another thread has written. */
#include "program.h"

__global__ void maximum(const int *in, int *best, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) atomicMax(best, in[i]);
#else
  if (i < n && in[i] > *best) *best = in[i]; // <- at
#endif
}

int main() {
  const int n = 256;
  int h[n], *in, *best;
  for (int i = 0; i < n; i++) h[i] = (i * 37) % 1000 + 1;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&best, sizeof *best));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(best, 0, sizeof *best));
  maximum<<<4, 64>>>(in, best, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(best));
}
