/* One launch sums everything: each block stores its sum, and the block that draws the last ticket adds them
 * up.
 * __threadfence before the ticket makes the sums visible to it. As in the programming guide. */
#include "program.h"
#define THREADS 128

__device__ unsigned int tickets;

__global__ void sum_all(const float *in, int n, volatile float *partial, float *out) {
  __shared__ float s[THREADS];
  __shared__ bool last;
  float sum = 0.0f;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS) sum += in[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int w = THREADS / 2; w > 0; w /= 2) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = s[0];
    __threadfence();
    unsigned int ticket = atomicInc(&tickets, gridDim.x);
    last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float total = 0.0f;
    for (int b = 0; b < gridDim.x; b++) total += partial[b];
    *out = total;
    tickets = 0;
  }
}

int main() {
  const int n = 5000, blocks = 7;
  float in[n], *d_in, *d_partial, *d_out, out, want = 0;
  for (int i = 0; i < n; i++) want += in[i] = (float)(i % 13);
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_partial, blocks * sizeof(float)));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  for (int round = 0; round < 2; round++) {
    sum_all<<<blocks, THREADS>>>(d_in, n, d_partial, d_out);
    CHECK(cudaMemcpy(&out, d_out, sizeof out, cudaMemcpyDeviceToHost));
    expect("sum", round, out, want);
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_partial));
  CHECK(cudaFree(d_out));
}
