// expect: memcheck+racecheck: ?
// says: frees device memory that|memory that was freed; cudaFreeAsync
/* Freed in a stream that does not wait for the one that uses it. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; } // <- at

int main() {
  int *p;
  cudaStream_t one, two;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  CHECK(cudaMallocAsync(&p, 64 * sizeof *p, one));
  CHECK(cudaStreamSynchronize(one));
  fill<<<1, 64, 0, one>>>(p);
#ifdef FIXED
  CHECK(cudaFreeAsync(p, one));
#else
  CHECK(cudaFreeAsync(p, two)); // <- at
#endif
  cudaDeviceSynchronize();
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}
