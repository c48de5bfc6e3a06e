// expect: racecheck: ?
// says: without synchronisation between them; before this work was queued
/* The event marks what was in the stream when it was recorded: nothing yet. */
#include "program.h"

__global__ void produce(int *p) { p[threadIdx.x] = 1; } // <- at
__global__ void consume(int *q, const int *p) {
  q[threadIdx.x] = p[threadIdx.x]; // <- at
}

int main() {
  int *p, *q;
  cudaStream_t first, second;
  cudaEvent_t ready;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  CHECK(cudaEventCreate(&ready));
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
  CHECK(cudaMalloc(&q, 32 * sizeof *q));
  CHECK(cudaMemset(p, 0, 32 * sizeof *p));
  CHECK(cudaDeviceSynchronize());
#ifndef FIXED
  CHECK(cudaEventRecord(ready, first));
#endif
  produce<<<1, 32, 0, first>>>(p);
#ifdef FIXED
  CHECK(cudaEventRecord(ready, first));
#endif
  CHECK(cudaStreamWaitEvent(second, ready, 0));
  consume<<<1, 32, 0, second>>>(q, p);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFree(p));
  CHECK(cudaFree(q));
}
