// expect: racecheck: ?
// says: the host; cudaStreamSynchronize
/* The kernel writes its result right into mapped host memory, and the host looks before it is there. */
#include "program.h"

__global__ void count(const int *x, int n, int *result) {
  int i = threadIdx.x;
  if (i < n && x[i] > 10) atomicAdd(result, 1); // <- at
}

int main() {
  int h[64], *d, *result, *mapped;
  cudaStream_t stream;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaHostAlloc(&result, sizeof *result, cudaHostAllocMapped));
  CHECK(cudaHostGetDevicePointer(&mapped, result, 0));
  *result = 0;
  count<<<1, 64, 0, stream>>>(d, 64, mapped);
#ifdef FIXED
  CHECK(cudaStreamSynchronize(stream));
#endif
  int seen = *result; // <- at
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFreeHost(result));
  CHECK(cudaFree(d));
  return seen < 0;
}
