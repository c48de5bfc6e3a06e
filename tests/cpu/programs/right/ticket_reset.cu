/* The last block adds up and sets the ticket back for the next launch, as in CUDA's own sample. */
#include "program.h"

__device__ unsigned ticket = 0;

__global__ void sum(const int *in, int n, int *partial, int *out) {
  __shared__ int s[64];
  __shared__ bool last;
  const int t = threadIdx.x;
  int v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
  s[t] = v;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && t == 0) {
    int total = 0;
    for (unsigned b = 0; b < gridDim.x; b++) total += partial[b];
    *out = total;
    ticket = 0;
  }
}

int main() {
  const int n = 1000, blocks = 6;
  int h[n], *in, *partial, *out, total;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&partial, blocks * sizeof *partial));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  for (int round = 0; round < 3; round++) {
    sum<<<blocks, 64>>>(in, n, partial, out);
    CHECK(cudaMemcpy(&total, out, sizeof total, cudaMemcpyDeviceToHost));
    expect("sum", round, total, n * (n - 1) / 2);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(partial));
  CHECK(cudaFree(out));
}
