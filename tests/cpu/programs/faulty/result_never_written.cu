// expect: initcheck+memcheck: ?
// says: copies 256 bytes back to the host that were never written; launched
/* The launch failed (2048 threads) and was not checked, and the copy brings back garbage. */
#include "program.h"

__global__ void fill(int *p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 64) p[i] = i;
}

int main() {
  int h[64], *d;
  CHECK(cudaMalloc(&d, sizeof h));
#ifdef FIXED
  fill<<<2, 1024>>>(d);
#else
  fill<<<1, 2048>>>(d); // <- at
#endif
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost); // <- at
  cudaFree(d);
}
