// expect: memcheck: -
// says: cudaStreamWaitEvent is given an event that was destroyed; destroy it when the work is done
/* The event is destroyed in the round that created it, and waited for in the next one. */
#include "program.h"

__global__ void add(int *x, int a) { x[threadIdx.x] += a; }

int main() {
  int *x;
  cudaStream_t streams[2];
  cudaEvent_t done[2];
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaMemset(x, 0, 32 * sizeof *x));
  CHECK(cudaDeviceSynchronize());
  for (cudaStream_t &s : streams) CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  for (int k = 0; k < 2; k++) {
    if (k) cudaStreamWaitEvent(streams[k], done[k - 1], 0); // <- at
#ifndef FIXED
    CHECK(cudaDeviceSynchronize());
#endif
    add<<<1, 32, 0, streams[k]>>>(x, k);
    CHECK(cudaEventCreate(&done[k]));
    CHECK(cudaEventRecord(done[k], streams[k]));
#ifndef FIXED
    CHECK(cudaEventDestroy(done[k]));
#endif
  }
#ifdef FIXED
  for (cudaEvent_t e : done) CHECK(cudaEventDestroy(e));
#endif
  CHECK(cudaDeviceSynchronize());
  for (cudaStream_t s : streams) CHECK(cudaStreamDestroy(s));
  CHECK(cudaFree(x));
}
