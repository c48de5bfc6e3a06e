// expect: memcheck: -
// says: cudaEventElapsedTime is called before the device has reached the event
// says: gives no time; cudaEventSynchronize
/* The kernel is still running when its time is asked for, and the error is not checked. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *p;
  float ms = 0;
  cudaEvent_t start, stop;
  CHECK(cudaMalloc(&p, 64 * sizeof *p));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  fill<<<1, 64>>>(p);
  CHECK(cudaEventRecord(stop));
#ifdef FIXED
  CHECK(cudaEventSynchronize(stop));
#endif
  cudaEventElapsedTime(&ms, start, stop); // <- at
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFree(p));
}
