// expect: memcheck: add
// says: past the end; 4000 bytes of device memory, cudaMalloc at
// says: of 1000 (of 4 bytes), the last is 999; no guard
/* 1000 elements, four blocks of 256: the last 24 threads have no element. */
#include "program.h"

__global__ void add(const float *a, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n) c[i] = a[i % n] + 1.0f;
#else
  c[i] = a[i % n] + 1.0f; // <- at
#endif
}

int main() {
  const int n = 1000;
  float h[n] = {0}, *a, *c;
  CHECK(cudaMalloc(&a, sizeof h));
  CHECK(cudaMalloc(&c, sizeof h));
  CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
  add<<<(n + 255) / 256, 256>>>(a, c, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  CHECK(cudaFree(c));
}
