/* Launches by address return why they were refused: who uses that need not ask for the last error as well. */
#include "program.h"

__global__ void fill(int *p, int n) {
  if ((int)threadIdx.x < n) p[threadIdx.x] = 7;
}

/* Halves the block until the device takes it. */
template <class Kernel> static int launched_with(Kernel kernel, void **arguments) {
  int threads = 4096;
  while (cudaLaunchKernel(kernel, dim3(1), dim3(threads), arguments, 0, 0) != cudaSuccess && threads > 1)
    threads /= 2;
  return threads;
}

int main() {
  int *d, h[64], n = 64;
  CHECK(cudaMalloc(&d, sizeof h));
  void *arguments[] = {&d, &n};
  expect("threads", 0, launched_with(fill, arguments), 1024);
  expect("threads", 1, launched_with((const void *)fill, arguments), 1024);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("h", i, h[i], 7);
  CHECK(cudaFree(d));
}
