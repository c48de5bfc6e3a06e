/* A program that expects errors and handles them is right: it gets no finding. */
#include "program.h"

__global__ void touch(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *d, h[32];
  CHECK(cudaMalloc(&d, sizeof h));
  touch<<<1, 1025>>>(d); /* too many threads: refused, nothing runs */
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return 1;
  expect("launch error", 0, error, cudaErrorInvalidValue);
  CHECK(cudaGetLastError()); /* cleared */
  void *huge;
  expect("no memory", 0, cudaMalloc(&huge, (size_t)1 << 60), cudaErrorMemoryAllocation);
  expect("kept", 0, cudaGetLastError(), cudaErrorMemoryAllocation);
  touch<<<1, 32>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("h", i, h[i], 1);
  CHECK(cudaFree(d));
  CHECK(cudaFree(NULL));
}
