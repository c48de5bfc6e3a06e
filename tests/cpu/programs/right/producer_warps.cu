/* Producer and consumer warps of one block: flags in shared memory by atomics, fences of the block, and
 * __syncwarp that passes on what one lane waited for. */
#include "program.h"
__global__ void pipeline(const int *in, int *out, int steps) {
  __shared__ int buffer[2][32];
  __shared__ int full[2], empty[2];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x < 2) full[threadIdx.x] = 0, empty[threadIdx.x] = 1;
  __syncthreads();
  if (warp == 0) {
    for (int s = 0; s < steps; s++) {
      const int b = s % 2;
      if (lane == 0)
        while (atomicCAS(&empty[b], 1, 0) != 1)
          ;
      __threadfence_block();
      __syncwarp();
      buffer[b][lane] = in[s * 32 + lane] * 2;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) atomicExch(&full[b], 1);
    }
  } else {
    for (int s = 0; s < steps; s++) {
      const int b = s % 2;
      if (lane == 0)
        while (atomicCAS(&full[b], 1, 0) != 1)
          ;
      __threadfence_block();
      __syncwarp();
      out[s * 32 + lane] = buffer[b][31 - lane] + 1;
      __threadfence_block();
      __syncwarp();
      if (lane == 0) atomicExch(&empty[b], 1);
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
