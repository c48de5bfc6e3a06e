// expect: racecheck: ?
// says: pinned host memory|pinned memory; missing cudaDeviceSynchronize|missing cudaStreamSynchronize
/* The kernel writes into pinned memory of the host, and the host reads without waiting for it. */
#include "program.h"

__global__ void squares(int *x) { x[threadIdx.x] = threadIdx.x * threadIdx.x; } // <- at

int main() {
  int *x;
  CHECK(cudaHostAlloc(&x, 64 * sizeof *x, cudaHostAllocMapped));
  for (int i = 0; i < 64; i++) x[i] = 0;
  squares<<<1, 64>>>(x);
#ifdef FIXED
  CHECK(cudaDeviceSynchronize());
#endif
  if (x[63] == 1) printf("%d\n", x[63]); // <- at
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFreeHost(x));
}
