// expect: initcheck: histogram
// says: of shared memory that was never written; `mine`; starts as garbage
/* The global bins are cleared by the host; the block's own bins are never cleared. */
#include "program.h"

#define BINS 64

__global__ void histogram(const unsigned char *in, int n, unsigned *bins) {
  __shared__ unsigned mine[BINS];
#ifdef FIXED
  if (threadIdx.x < BINS) mine[threadIdx.x] = 0;
  __syncthreads();
#endif
  for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&mine[in[i] % BINS], 1u); // <- at
  __syncthreads();
  if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
  const int n = 1024;
  unsigned char h[n], *in;
  unsigned *bins;
  for (int i = 0; i < n; i++) h[i] = (unsigned char)i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&bins, BINS * sizeof *bins));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(bins, 0, BINS * sizeof *bins));
  histogram<<<1, 128>>>(in, n, bins);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(bins));
}
