/* The last steps of a reduction within one warp, in shared memory,
   with __syncwarp between reads and writes. */
#include "program.h"
#define THREADS 128

__global__ void block_sum(const int *in, int *out) {
  __shared__ int s[THREADS];
  unsigned int t = threadIdx.x;
  s[t] = in[blockIdx.x * THREADS + t];
  __syncthreads();
  for (unsigned int w = THREADS / 2; w >= 32; w >>= 1) {
    if (t < w) s[t] += s[t + w];
    __syncthreads();
  }
  if (t < 32) {
    int v = s[t];
    for (int w = 16; w > 0; w >>= 1) {
      if (t + w < 32) v += s[t + w];
      __syncwarp();
      s[t] = v;
      __syncwarp();
    }
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

int main() {
  const int blocks = 4, n = blocks * THREADS;
  int h[n], out[blocks], *d, *d_out;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  block_sum<<<blocks, THREADS>>>(d, d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; b++) {
    long want = 0;
    for (int i = 0; i < THREADS; i++) want += b * THREADS + i;
    expect("out", b, out[b], want);
  }
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_out));
}
