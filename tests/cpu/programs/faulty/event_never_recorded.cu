// expect: memcheck: -
// says: cudaEventElapsedTime is given an event that was never recorded; a missing cudaEventRecord
/* The start was never recorded. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *p;
  float ms = 0;
  cudaEvent_t start, stop;
  CHECK(cudaMalloc(&p, 64 * sizeof *p));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
#ifdef FIXED
  CHECK(cudaEventRecord(start));
#endif
  fill<<<1, 64>>>(p);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  cudaEventElapsedTime(&ms, start, stop); // <- at
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(p));
}
