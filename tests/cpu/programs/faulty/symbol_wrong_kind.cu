// expect: memcheck: -
// says: cudaMemcpyToSymbol of 4 bytes: the direction contradicts the pointers; the wrong kind
/* The kind of cudaMemcpyFromSymbol, left there when the line was copied. */
#include "program.h"

__device__ int limit;

__global__ void clamp(int *x) {
  if (x[threadIdx.x] > limit) x[threadIdx.x] = limit;
}

int main() {
  int h[32], *d, most = 10;
  for (int i = 0; i < 32; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  CHECK(cudaMemcpyToSymbol(limit, &most, sizeof most, 0, cudaMemcpyHostToDevice));
#else
  cudaMemcpyToSymbol(limit, &most, sizeof most, 0, cudaMemcpyDeviceToHost); // <- at
#endif
  clamp<<<1, 32>>>(d);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(d));
}
