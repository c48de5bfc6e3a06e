// expect: memcheck: -
// says: cudaFreeAsync of memory that is already freed; two cudaFree for one cudaMalloc
/* Freed in the stream, and once more in the cleaning up at the end. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; }

int main() {
  int *p;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMallocAsync(&p, 64 * sizeof *p, stream));
  fill<<<1, 64, 0, stream>>>(p);
  CHECK(cudaFreeAsync(p, stream));
#ifndef FIXED
  cudaFreeAsync(p, stream); // <- at
#endif
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
}
