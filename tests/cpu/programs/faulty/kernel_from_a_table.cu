// expect: memcheck: scale
// says: immediately past the end of its array; scale<<<(1,1,1), (64,1,1)>>>
/* The kernel comes from a table; the report names the kernel, not the table. */
#include "program.h"

__global__ void scale(float *x, int n) {
#ifdef FIXED
  if ((int)threadIdx.x < n) x[threadIdx.x] *= 2;
#else
  if ((int)threadIdx.x <= n) x[threadIdx.x] *= 2; // <- at
#endif
}
__global__ void clear(float *x, int n) {
  if ((int)threadIdx.x < n) x[threadIdx.x] = 0;
}

int main() {
  void (*const steps[])(float *, int) = {clear, scale};
  const int n = 50;
  float *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  for (auto step : steps) step<<<1, 64>>>(x, n);
  cudaDeviceSynchronize();
  cudaFree(x);
}
