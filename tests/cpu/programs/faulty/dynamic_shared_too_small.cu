// expect: memcheck: reverse
// says: outside of shared memory; 128 bytes of dynamic shared memory; bytes, not elements
/* The launch asks for n bytes, the kernel uses n floats. */
#include "program.h"

__global__ void reverse(float *p, int n) {
  extern __shared__ float tile[];
  tile[threadIdx.x] = p[threadIdx.x]; // <- at
  __syncthreads();
  p[threadIdx.x] = tile[n - 1 - threadIdx.x]; // <- at
}

int main() {
  const int n = 128;
  float h[n] = {0}, *p;
  CHECK(cudaMalloc(&p, sizeof h));
  CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  reverse<<<1, n, n * sizeof(float)>>>(p, n);
#else
  reverse<<<1, n, n>>>(p, n);
#endif
  cudaDeviceSynchronize();
  cudaFree(p);
}
