// expect: racecheck: sum
// says: global memory that a thread of another block; an atomic function
/* Within the block all is well; the blocks meet in one variable. */
#include "program.h"

__global__ void sum(const float *in, float *total, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  s[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int w = 32; w > 0; w /= 2) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0)
#ifdef FIXED
    atomicAdd(total, s[0]);
#else
    *total += s[0]; // <- at
#endif
}

int main() {
  const int n = 500;
  float h[n] = {0}, *in, *total;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&total, sizeof *total));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(total, 0, sizeof *total));
  sum<<<(n + 63) / 64, 64>>>(in, total, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(total));
}
