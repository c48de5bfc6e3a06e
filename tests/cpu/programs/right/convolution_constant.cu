/* A filter in constant memory, a tile with a halo that its first and last threads bring. */
#include "program.h"

#define RADIUS 3
#define BLOCK  64

__constant__ float weights[2 * RADIUS + 1];

__global__ void convolve(const float *in, float *out, int n) {
  __shared__ float s[BLOCK + 2 * RADIUS];
  const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x + RADIUS;
  s[t] = i < n ? in[i] : 0;
  if (threadIdx.x < RADIUS) {
    s[t - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0;
    s[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += weights[k + RADIUS] * s[t + k];
  if (i < n) out[i] = sum;
}

int main() {
  const int n = 200;
  float h[n], back[n], w[2 * RADIUS + 1] = {1, 2, 3, 4, 3, 2, 1}, *in, *out;
  for (int i = 0; i < n; i++) h[i] = (float)(i % 7);
  CHECK(cudaMemcpyToSymbol(weights, w, sizeof w));
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  convolve<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n);
  CHECK(cudaMemcpy(back, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    float sum = 0;
    for (int k = -RADIUS; k <= RADIUS; k++)
      if (i + k >= 0 && i + k < n) sum += w[k + RADIUS] * h[i + k];
    expect("out", i, back[i], sum);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
