/* Monte Carlo with a generator of its own per thread, a sum per block, one atomic per block. */
#include "program.h"

__device__ unsigned next(unsigned &state) { return state = state * 1664525u + 1013904223u; }

__global__ void throw_darts(int darts, unsigned long long *hits) {
  __shared__ unsigned block_hits;
  unsigned state = 12345u + 977u * (blockIdx.x * blockDim.x + threadIdx.x), mine = 0;
  if (threadIdx.x == 0) block_hits = 0;
  __syncthreads();
  for (int i = 0; i < darts; i++) {
    const float x = (next(state) >> 8) / 16777216.0f, y = (next(state) >> 8) / 16777216.0f;
    mine += x * x + y * y < 1.0f;
  }
  atomicAdd(&block_hits, mine);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(hits, (unsigned long long)block_hits);
}

int main() {
  unsigned long long h, *hits;
  CHECK(cudaMalloc(&hits, sizeof *hits));
  CHECK(cudaMemset(hits, 0, sizeof *hits));
  throw_darts<<<8, 64>>>(200, hits);
  CHECK(cudaMemcpy(&h, hits, sizeof h, cudaMemcpyDeviceToHost));
  const double pi = 4.0 * (double)h / (8 * 64 * 200);
  if (!(pi > 3.05 && pi < 3.23)) expect("pi", 0, pi, 3.14159);
  CHECK(cudaFree(hits));
}
