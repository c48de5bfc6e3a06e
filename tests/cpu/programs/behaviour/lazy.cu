/* Reads before it waits: it must see the old value every time, in the fast build too. */
#include "program.h"

__global__ void set(int *p) { *p = 2; }

int main() {
  int *h, *d;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocHost(&h, sizeof *h));
  CHECK(cudaMalloc(&d, sizeof *d));
  *h = 1;
  set<<<1, 1, 0, stream>>>(d);
  CHECK(cudaMemcpyAsync(h, d, sizeof *h, cudaMemcpyDeviceToHost, stream));
  int early = *h;
  CHECK(cudaStreamSynchronize(stream));
  printf("%d %d\n", early, *h);
  CHECK(cudaFree(d));
  CHECK(cudaFreeHost(h));
  CHECK(cudaStreamDestroy(stream));
}
