// expect: racecheck: ?
// says: without synchronisation between them; had to be recorded in stream 1
/* The event is recorded in the stream that is going to wait, not in the one that produces. */
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
  CHECK(cudaEventCreate(&ready));
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
  CHECK(cudaMalloc(&q, 32 * sizeof *q));
  CHECK(cudaMemset(p, 0, 32 * sizeof *p));
  CHECK(cudaDeviceSynchronize());
  produce<<<1, 32, 0, producer>>>(p);
#ifdef FIXED
  CHECK(cudaEventRecord(ready, producer));
#else
  CHECK(cudaEventRecord(ready, consumer));
#endif
  CHECK(cudaStreamWaitEvent(consumer, ready, 0));
  consume<<<1, 32, 0, consumer>>>(q, p);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(ready));
  CHECK(cudaStreamDestroy(producer));
  CHECK(cudaStreamDestroy(consumer));
  CHECK(cudaFree(p));
  CHECK(cudaFree(q));
}
