// expect: memcheck: -
// says: is given a stream that was destroyed
/* The stream is destroyed before the copy that was to bring the result. */
#include "program.h"

__global__ void fill(int *x) { x[threadIdx.x] = 3; }

int main() {
  int *x, *h;
  cudaStream_t stream;
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaMallocHost(&h, 32 * sizeof *h));
  CHECK(cudaStreamCreate(&stream));
  fill<<<1, 32, 0, stream>>>(x);
#ifndef FIXED
  CHECK(cudaStreamDestroy(stream));
#endif
  cudaMemcpyAsync(h, x, 32 * sizeof *x, cudaMemcpyDeviceToHost, stream); // <- at
#ifdef FIXED
  CHECK(cudaStreamDestroy(stream));
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFreeHost(h));
}
