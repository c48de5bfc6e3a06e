/* Zero copy: the kernel reads and writes the host's memory through a mapped pointer. */
#include "program.h"

__global__ void scale(float *x, int n, float factor) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= factor;
}

int main() {
  const int n = 300;
  float *h, *d;
  CHECK(cudaHostAlloc(&h, n * sizeof *h, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&d, h, 0));
  for (int i = 0; i < n; i++) h[i] = (float)i;
  scale<<<(n + 63) / 64, 64>>>(d, n, 0.5f);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; i++) expect("h", i, h[i], 0.5 * i);
  CHECK(cudaFreeHost(h));
}
