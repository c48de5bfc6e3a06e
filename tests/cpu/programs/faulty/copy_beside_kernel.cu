// expect: racecheck: ?
// says: in stream; without synchronisation between them; missing cudaStreamWaitEvent
/* A second stream copies the result back without waiting for the first. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; } // <- at

int main() {
  int *h, *d;
  cudaStream_t compute, copy;
  cudaEvent_t done;
  CHECK(cudaStreamCreate(&compute));
  CHECK(cudaStreamCreate(&copy));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaMallocHost(&h, 64 * sizeof *h));
  CHECK(cudaMalloc(&d, 64 * sizeof *d));
  CHECK(cudaMemset(d, 0, 64 * sizeof *d));
  CHECK(cudaDeviceSynchronize());
  fill<<<1, 64, 0, compute>>>(d);
#ifdef FIXED
  CHECK(cudaEventRecord(done, compute));
  CHECK(cudaStreamWaitEvent(copy, done, 0));
#endif
  CHECK(cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, copy)); // <- at
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(done));
  CHECK(cudaStreamDestroy(compute));
  CHECK(cudaStreamDestroy(copy));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
}
