// expect: memcheck: normalise
// says: writes 4 bytes of constant memory; `weights`; cudaMemcpyToSymbol
/* A kernel changes a table in constant memory, through a pointer that forgot the const. */
#include "program.h"

__constant__ float weights[4] = {1, 2, 3, 4};
#ifdef FIXED
__device__ float scaled[4];
#endif

__global__ void normalise() {
#ifdef FIXED
  scaled[threadIdx.x] = weights[threadIdx.x] / 10;
#else
  float *w = const_cast<float *>(weights);
  w[threadIdx.x] /= 10; // <- at
#endif
}

int main() {
  normalise<<<1, 4>>>();
  cudaDeviceSynchronize();
}
