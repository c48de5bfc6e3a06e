/* A kernel called like a function of CUDA's headers: to C++ they are overloads. */
#include "program.h"

__global__ void norm(float *x, int n = 32) {
  if ((int)threadIdx.x < n) x[threadIdx.x] = 1;
}

int main() {
  float h[32], *x;
  CHECK(cudaMalloc(&x, sizeof h));
  norm<<<1, 32>>>(x);
  CHECK(cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 32; i++) expect("x", i, h[i], 1);
  CHECK(cudaFree(x));
}
