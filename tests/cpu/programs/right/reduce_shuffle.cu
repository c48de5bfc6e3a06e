/* Warps add up by shuffles, their sums meet in shared memory, and the first warp adds those. */
#include "program.h"

__inline__ __device__ float warp_sum(float v) {
  for (int delta = warpSize / 2; delta > 0; delta /= 2) v += __shfl_down_sync(0xffffffff, v, delta);
  return v;
}

__global__ void block_sum(const float *in, float *out, int n) {
  __shared__ float warp_sums[32];
  int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  float v = warp_sum(i < n ? in[i] : 0.0f);
  if (lane == 0) warp_sums[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / warpSize ? warp_sums[lane] : 0.0f;
  if (warp == 0) v = warp_sum(v);
  if (threadIdx.x == 0) atomicAdd(out, v);
}

int main() {
  const int n = 3001;
  float h[n], *d, *d_out, out, want = 0;
  for (int i = 0; i < n; i++) want += h[i] = (float)(i % 11);
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d_out, 0, sizeof out));
  block_sum<<<(n + 255) / 256, 256>>>(d, d_out, n);
  CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  expect("sum", 0, out, want);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_out));
}
