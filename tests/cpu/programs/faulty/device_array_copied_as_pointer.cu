// expect: memcheck: -
// says: `table`; cudaMemcpyToSymbol
/* A __device__ array is named on the host like any other; cudaMemcpy gets the host's shadow of it. */
#include "program.h"

__device__ int table[16];

__global__ void use(int *out) { out[threadIdx.x] = table[threadIdx.x]; }

int main() {
  int h[16] = {0}, *out;
  CHECK(cudaMalloc(&out, sizeof h));
#ifdef FIXED
  CHECK(cudaMemcpyToSymbol(table, h, sizeof h));
#else
  cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice); // <- at
#endif
  use<<<1, 16>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
