// expect: racecheck: -
// says: the host reads pinned memory
/* cudaStreamQuery only asks: its answer, cudaErrorNotReady, is thrown away. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 7; }

int main() {
  int *h, *d, sum = 0;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, 32 * sizeof *h));
  CHECK(cudaMalloc(&d, 32 * sizeof *d));
  fill<<<1, 32, 0, stream>>>(d);
  CHECK(cudaMemcpyAsync(h, d, 32 * sizeof *h, cudaMemcpyDeviceToHost, stream));
#ifdef FIXED
  while (cudaStreamQuery(stream) == cudaErrorNotReady) {
  }
#else
  cudaStreamQuery(stream);
#endif
  for (int i = 0; i < 32; i++) sum += h[i]; // <- at
  if (sum == 1) printf("one\n");
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(h));
  CHECK(cudaFree(d));
}
