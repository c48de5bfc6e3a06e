/* Scales in place what it reads by __ldg: each thread its own element. */
#include "program.h"

__global__ void scale(float *x) { x[threadIdx.x] = 2 * __ldg(x + threadIdx.x); }

int main() {
  float h[64] = {0}, *x;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  scale<<<1, 64>>>(x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
