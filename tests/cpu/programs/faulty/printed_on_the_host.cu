// expect: memcheck: -
// says: the host reads 4 bytes of device memory; copy with cudaMemcpy first
/* A quick look at the first result, straight from the device's array. */
#include "program.h"

__global__ void fill(float *x) { x[threadIdx.x] = 1.0f; }

int main() {
  float *x, first = 0;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  fill<<<1, 64>>>(x);
  CHECK(cudaDeviceSynchronize());
#ifdef FIXED
  CHECK(cudaMemcpy(&first, x, sizeof first, cudaMemcpyDeviceToHost));
#else
  first = x[0]; // <- at
#endif
  if (first == 2.0f) printf("%g\n", first);
  CHECK(cudaFree(x));
}
