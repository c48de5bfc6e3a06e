/* Histogram: atomics on a copy in shared memory for each block, then atomics on the result. */
#include "program.h"
#define BINS 32

__global__ void histogram(const unsigned char *data, int n, unsigned int *bins) {
  __shared__ unsigned int local[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) local[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[data[i] % BINS], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], local[b]);
}

int main() {
  const int n = 9001;
  unsigned char *h = (unsigned char *)malloc(n), *d;
  unsigned int *d_bins, bins[BINS], want[BINS] = {0};
  for (int i = 0; i < n; i++) {
    h[i] = (unsigned char)(i * i);
    want[h[i] % BINS]++;
  }
  CHECK(cudaMalloc(&d, n));
  CHECK(cudaMalloc(&d_bins, sizeof bins));
  CHECK(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_bins, 0, sizeof bins));
  histogram<<<6, 96>>>(d, n, d_bins);
  CHECK(cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost));
  for (int b = 0; b < BINS; b++) expect("bin", b, bins[b], want[b]);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_bins));
  free(h);
}
