// expect: racecheck: histogram
// says: global memory that; another block|another thread of its block|another lane of its warp
// says: atomic function|__syncthreads|__syncwarp
/* bins[x]++ is three steps; two threads in between lose a count. */
#include "program.h"

__global__ void histogram(const unsigned char *data, int n, int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
#ifdef FIXED
    atomicAdd(&bins[data[i]], 1);
#else
    bins[data[i]]++; // <- at
#endif
}

int main() {
  const int n = 1000;
  unsigned char h[n], *d;
  int *bins;
  for (int i = 0; i < n; i++) h[i] = (unsigned char)(i % 16);
  CHECK(cudaMalloc(&d, n));
  CHECK(cudaMalloc(&bins, 256 * sizeof *bins));
  CHECK(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bins, 0, 256 * sizeof *bins));
  histogram<<<4, 256>>>(d, n, bins);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
  CHECK(cudaFree(bins));
}
