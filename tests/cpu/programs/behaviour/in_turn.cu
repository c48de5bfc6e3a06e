/* Launches, one immediately after the other, of blocks that wait at barriers for a while: what is done between
 * kernels must not touch one that has begun. */
#include "program.h"

__global__ void sums(int *out, int rounds) {
  __shared__ int tile[64];
  int sum = 0;
  for (int r = 0; r < rounds; r++) {
    tile[threadIdx.x] = (int)threadIdx.x + r;
    __syncthreads();
    sum += tile[63 - threadIdx.x] - r;
    __syncthreads();
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

int main() {
  const int rounds = 1500;
  int *d, h[16 * 64];
  CHECK(cudaMalloc(&d, sizeof h));
  for (int launch = 0; launch < 6; launch++) sums<<<16, 64>>>(d, rounds);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 16 * 64; i++) expect("sum", i, h[i], (double)rounds * (63 - i % 64));
  CHECK(cudaFree(d));
}
