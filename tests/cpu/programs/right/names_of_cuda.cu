/* Kernels that are called like functions of CUDA's headers: to C++ they are overloads. */
#include "program.h"

__global__ void norm(float *x, int n = 32) {
  if ((int)threadIdx.x < n) x[threadIdx.x] = 1;
}

__global__ void max(float *x) { x[threadIdx.x] = max(x[threadIdx.x], 2.0f); }

int main() {
  float h[32], *x;
  CHECK(cudaMalloc(&x, sizeof h));
  norm<<<1, 32>>>(x);
  max<<<1, 31>>>(x);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("x", i, h[i], i < 31 ? 2 : 1);
  CHECK(cudaFree(x));
}
