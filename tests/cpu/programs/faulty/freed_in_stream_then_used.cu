// expect: memcheck: finish
// says: memory that was freed; cudaFreeAsync; too early in the stream
/* The temporary array is freed in the stream one line too early. */
#include "program.h"

__global__ void prepare(int *t) { t[threadIdx.x] = threadIdx.x; }

__global__ void finish(const int *t, int *out) { out[threadIdx.x] = t[threadIdx.x] * 2; } // <- at

int main() {
  int *t, *out;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  CHECK(cudaMallocAsync(&t, 64 * sizeof *t, stream));
  prepare<<<1, 64, 0, stream>>>(t);
#ifndef FIXED
  CHECK(cudaFreeAsync(t, stream));
#endif
  finish<<<1, 64, 0, stream>>>(t, out);
#ifdef FIXED
  CHECK(cudaFreeAsync(t, stream));
#endif
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  cudaFree(out);
}
