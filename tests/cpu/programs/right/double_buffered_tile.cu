/* Two tiles take turns: one is read while the other is filled, so one barrier a step is enough. */
#include "program.h"
#define WIDTH 64

__global__ void running_sum(const float *in, float *out, int steps) {
  __shared__ float tile[2][WIDTH];
  int x = threadIdx.x, base = blockIdx.x * WIDTH * steps;
  float sum = 0.0f;
  tile[0][x] = in[base + x];
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    if (s + 1 < steps) tile[(s + 1) & 1][x] = in[base + (s + 1) * WIDTH + x];
    sum += tile[s & 1][WIDTH - 1 - x];
    __syncthreads();
  }
  out[blockIdx.x * WIDTH + x] = sum;
}

int main() {
  const int blocks = 3, steps = 5, n = blocks * steps * WIDTH;
  float in[n], out[blocks * WIDTH], *d_in, *d_out;
  for (int i = 0; i < n; i++) in[i] = (float)(i % 101);
  CHECK(cudaMalloc(&d_in, sizeof in));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice));
  running_sum<<<blocks, WIDTH>>>(d_in, d_out, steps);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int b = 0; b < blocks; b++)
    for (int x = 0; x < WIDTH; x++) {
      float want = 0;
      for (int s = 0; s < steps; s++) want += in[(b * steps + s) * WIDTH + WIDTH - 1 - x];
      expect("out", b * WIDTH + x, out[b * WIDTH + x], want);
    }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
}
