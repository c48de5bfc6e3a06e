// expect: racecheck: ?
// says: without synchronisation between them
/* Waiting for an event that was not recorded yet waits for nothing: the order of the calls counts. */
#include "program.h"

__global__ void produce(int *p) { p[threadIdx.x] = 1; } // <- at
__global__ void consume(int *q, const int *p) {
  q[threadIdx.x] = p[threadIdx.x]; // <- at
}

int main() {
  int *p, *q;
  cudaStream_t producer, consumer;
  cudaEvent_t ready;
  CHECK(cudaStreamCreate(&producer));
  CHECK(cudaStreamCreate(&consumer));
  CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
  CHECK(cudaMalloc(&q, 32 * sizeof *q));
  CHECK(cudaMemset(p, 0, 32 * sizeof *p));
  CHECK(cudaDeviceSynchronize());
#ifndef FIXED
  CHECK(cudaStreamWaitEvent(consumer, ready, 0));
  consume<<<1, 32, 0, consumer>>>(q, p);
#endif
  produce<<<1, 32, 0, producer>>>(p);
  CHECK(cudaEventRecord(ready, producer));
#ifdef FIXED
  CHECK(cudaStreamWaitEvent(consumer, ready, 0));
  consume<<<1, 32, 0, consumer>>>(q, p);
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  CHECK(cudaFree(p));
  CHECK(cudaFree(q));
}
