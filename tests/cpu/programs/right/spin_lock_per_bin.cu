/* A histogram of pairs: each bin has two values that must change together, so each has a lock. Threads of one
 * block, of one warp even, wait for each other. */
#include "program.h"

#define BINS 8

__global__ void histogram(const int *values, int n, int *locks, int *counts, int *sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int bin = values[i] % BINS;
  bool done = false;
  while (!done) {
    if (atomicCAS(&locks[bin], 0, 1) == 0) {
      __threadfence();
      volatile int *count = &counts[bin], *sum = &sums[bin];
      *count = *count + 1;
      *sum = *sum + values[i];
      __threadfence();
      atomicExch(&locks[bin], 0);
      done = true;
    }
  }
}

int main() {
  const int n = 3000;
  int h[3000], counts[BINS], sums[BINS], want_counts[BINS] = {0}, want_sums[BINS] = {0}, *d, *bins;
  for (int i = 0; i < n; i++) {
    h[i] = (i * 7919) % 1009;
    want_counts[h[i] % BINS]++;
    want_sums[h[i] % BINS] += h[i];
  }
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&bins, 3 * BINS * sizeof(int)));
  CHECK(cudaMemset(bins, 0, 3 * BINS * sizeof(int)));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  histogram<<<(n + 255) / 256, 256>>>(d, n, bins, bins + BINS, bins + 2 * BINS);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(counts, bins + BINS, sizeof counts, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(sums, bins + 2 * BINS, sizeof sums, cudaMemcpyDeviceToHost));
  for (int b = 0; b < BINS; b++) {
    expect("count", b, counts[b], want_counts[b]);
    expect("sum", b, sums[b], want_sums[b]);
  }
  CHECK(cudaFree(d));
  CHECK(cudaFree(bins));
  return 0;
}
