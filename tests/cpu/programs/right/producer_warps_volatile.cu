/* Producer and consumer warps with a volatile flag in shared memory. */
#include "program.h"
__global__ void pipeline(const int *in, int *out, int steps) {
  __shared__ int buffer[32];
  __shared__ volatile int turn;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) turn = 0;
  __syncthreads();
  for (int s = 0; s < steps; s++) {
    if (warp == 0) {
      while (turn != 2 * s) __nanosleep(20);
      __threadfence_block();
      buffer[lane] = in[s * 32 + lane] * 2;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) turn = 2 * s + 1;
    } else {
      while (turn != 2 * s + 1) __nanosleep(20);
      __threadfence_block();
      out[s * 32 + lane] = buffer[31 - lane] + 1;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) turn = 2 * s + 2;
    }
  }
}
int main() {
  const int steps = 9, n = steps * 32;
  int h[n], *in, *out, r[n];
  for (int i = 0; i < n; i++) h[i] = i * 3;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  pipeline<<<1, 64>>>(in, out, steps);
  CHECK(cudaMemcpy(r, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("r", i, r[i], h[i / 32 * 32 + 31 - i % 32] * 2 + 1);
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
