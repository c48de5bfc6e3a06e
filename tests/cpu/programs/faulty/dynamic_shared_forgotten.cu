// expect: memcheck: reverse
// says: outside of shared memory; the launch requested none (third argument of <<< >>>)
/* The third argument of the launch is missing. */
#include "program.h"

__global__ void reverse(float *p, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = p[threadIdx.x]; // <- at
  __syncthreads();
  p[threadIdx.x] = tile[n - 1 - threadIdx.x];
}

int main() {
  const int n = 64;
  float h[n] = {0}, *p;
  CHECK(cudaMalloc(&p, sizeof h));
  CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  reverse<<<1, n, n * sizeof(float)>>>(p, n);
#else
  reverse<<<1, n>>>(p, n);
#endif
  cudaDeviceSynchronize();
  cudaFree(p);
}
