// expect: initcheck+racecheck: ?
// says: never written; runs in another stream and was not waited for
/* The non-blocking stream does not wait for the default one, in which the kernel runs. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; } // <- at

int main() {
  int *p, *h;
  cudaStream_t stream;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&p, 64 * sizeof *p));
  CHECK(cudaMallocHost(&h, 64 * sizeof *h));
#ifdef FIXED
  fill<<<1, 64, 0, stream>>>(p);
#else
  fill<<<1, 64>>>(p);
#endif
  CHECK(cudaMemcpyAsync(h, p, 64 * sizeof *p, cudaMemcpyDeviceToHost, stream)); // <- at
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
  CHECK(cudaFreeHost(h));
  CHECK(cudaStreamDestroy(stream));
}
