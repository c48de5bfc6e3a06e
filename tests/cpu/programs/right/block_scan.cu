/* Inclusive scan of a block: a barrier between every read and every write. */
#include "program.h"
#define THREADS 128

__global__ void scan(const int *in, int *out, int n) {
  __shared__ int s[THREADS];
  int t = threadIdx.x, i = blockIdx.x * THREADS + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = 1; d < THREADS; d *= 2) {
    int left = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += left;
    __syncthreads();
  }
  if (i < n) out[i] = s[t];
}

int main() {
  const int n = 500;
  int h[n], out[n], *d_in, *d_out;
  for (int i = 0; i < n; i++) h[i] = i % 4 + 1;
  CHECK(cudaMalloc(&d_in, sizeof h));
  CHECK(cudaMalloc(&d_out, sizeof h));
  CHECK(cudaMemcpy(d_in, h, sizeof h, cudaMemcpyHostToDevice));
  scan<<<(n + THREADS - 1) / THREADS, THREADS>>>(d_in, d_out, n);
  CHECK(cudaMemcpy(out, d_out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0, sum = 0; i < n; i++) {
    sum = i % THREADS == 0 ? h[i] : sum + h[i];
    expect("scan", i, out[i], sum);
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}
