/* The default stream waits for other streams and they for it, so this needs no synchronise of its own. */
#include "program.h"

__global__ void add(int *x, int n, int value) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += value;
}

int main() {
  const int n = 256;
  int h[n], *d;
  cudaStream_t a, b;
  CHECK(cudaStreamCreate(&a));
  CHECK(cudaStreamCreate(&b));
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemset(d, 0, sizeof h));
  add<<<2, 128, 0, a>>>(d, n, 1);
  add<<<2, 128>>>(d, n, 10);
  add<<<2, 128, 0, b>>>(d, n, 100);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("d", i, h[i], 111);
  CHECK(cudaStreamDestroy(a));
  CHECK(cudaStreamDestroy(b));
  CHECK(cudaFree(d));
}
