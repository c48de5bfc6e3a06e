// expect: memcheck: -
// says: cudaMemcpyToSymbol of 128 bytes: the destination has only 64 bytes; the __constant__ variable
// `weights` says: bytes of another type
/* sizeof of the host's doubles for an array of floats in constant memory. */
#include "program.h"

__constant__ float weights[16];

__global__ void weigh(float *out) { out[threadIdx.x] = weights[threadIdx.x]; }

int main() {
  double all[16] = {1};
  float *d, h[16];
  for (int i = 0; i < 16; i++) h[i] = (float)all[i];
  CHECK(cudaMalloc(&d, 16 * sizeof *d));
#ifdef FIXED
  CHECK(cudaMemcpyToSymbol(weights, h, sizeof weights));
#else
  cudaMemcpyToSymbol(weights, h, sizeof all); // <- at
#endif
  weigh<<<1, 16>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
