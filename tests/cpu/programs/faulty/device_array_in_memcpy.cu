// expect: memcheck: -
// says: the destination is the host's shadow of the __device__ variable `table`; cudaMemcpyToSymbol
/* The name of a __device__ array given to cudaMemcpy, where it is an address of the host. */
#include "program.h"

__device__ float table[100];

__global__ void look_up(float *out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
  float h[100] = {1}, *d;
  CHECK(cudaMalloc(&d, sizeof h));
#ifdef FIXED
  CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
#else
  cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice); // <- at
#endif
  look_up<<<1, 100>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
