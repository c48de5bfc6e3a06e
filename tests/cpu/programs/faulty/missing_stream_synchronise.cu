// expect: racecheck: -
// says: the host reads pinned memory that a copy in stream; cudaMemcpyAsync
// says: missing cudaStreamSynchronize
/* The host reads before the asynchronous copy has come back. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *h, *d, sum = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, 64 * sizeof *h));
  CHECK(cudaMalloc(&d, 64 * sizeof *d));
  fill<<<1, 64, 0, stream>>>(d);
  CHECK(cudaMemcpyAsync(h, d, 64 * sizeof *h, cudaMemcpyDeviceToHost, stream));
#ifdef FIXED
  CHECK(cudaStreamSynchronize(stream));
#endif
  for (int i = 0; i < 64; i++) sum += h[i]; // <- at
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
  return sum < 0;
}
