// expect: racecheck: select_positive
// says: global memory that; a plain access to a value that others update atomically
/* The last thread reports the count while others are still counting. */
#include "program.h"

__global__ void select_positive(const int *in, int *out, int *count, int *reported, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] > 0) out[atomicAdd(count, 1)] = in[i]; // <- at
#ifndef FIXED
  if (i == n - 1) *reported = *count; // <- at
#else
  if (i == 0) *reported = 0;
#endif
}

int main() {
  const int n = 256;
  int h[n], *in, *out, *count;
  for (int i = 0; i < n; i++) h[i] = i - n / 2;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMalloc(&count, 2 * sizeof *count));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(count, 0, 2 * sizeof *count));
  select_positive<<<4, 64>>>(in, out, count, count + 1, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
  CHECK(cudaFree(count));
}
