// expect: memcheck: fill
// says: before its cudaMallocAsync in another stream; an event recorded after it
/* Allocated in one stream, used in another one, which does not wait for it. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; } // <- at

int main() {
  int *p;
  cudaStream_t one, two;
  cudaEvent_t made;
  CHECK(cudaStreamCreate(&one));
  CHECK(cudaStreamCreate(&two));
  CHECK(cudaEventCreate(&made));
  CHECK(cudaMallocAsync(&p, 64 * sizeof *p, one));
  CHECK(cudaEventRecord(made, one));
#ifdef FIXED
  CHECK(cudaStreamWaitEvent(two, made, 0));
#endif
  fill<<<1, 64, 0, two>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
  cudaEventDestroy(made);
  cudaStreamDestroy(one);
  cudaStreamDestroy(two);
}
