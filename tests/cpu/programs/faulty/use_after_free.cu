// expect: memcheck: touch
// says: memory that was freed; cudaFree too early; freed at
/* Freed once the copy back was "surely done"; then one more launch. */
#include "program.h"

__global__ void touch(int *p) { p[threadIdx.x] = threadIdx.x; } // <- at

int main() {
  int *p;
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
  touch<<<1, 32>>>(p);
  CHECK(cudaDeviceSynchronize());
#ifdef FIXED
  touch<<<1, 32>>>(p);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
#else
  CHECK(cudaFree(p));
  touch<<<1, 32>>>(p);
  cudaDeviceSynchronize();
#endif
}
