// expect: memcheck: normalise
// says: writes 4 bytes of constant memory; can only read; `coefficients`
/* A kernel prepares its own coefficients in constant memory. */
#include "program.h"

#ifdef FIXED
__device__ float coefficients[8];
#else
__constant__ float coefficients[8];
#endif

__global__ void normalise(float sum) { coefficients[threadIdx.x] = coefficients[threadIdx.x] / sum; } // <- at

int main() {
  const float h[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  CHECK(cudaMemcpyToSymbol(coefficients, h, sizeof h));
  normalise<<<1, 8>>>(36);
  cudaDeviceSynchronize();
}
