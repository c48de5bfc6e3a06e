// expect: synccheck: sum
// says: lanes of one warp meet in different warp functions; in a branch
/* The full mask, but half of the warp takes the other branch and waits somewhere else. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  int v = in[threadIdx.x];
#ifdef FIXED
  for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, 16);
#else
  if (threadIdx.x < 16)
    for (int d = 8; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d, 16); // <- at
  else
    v = __ballot_sync(0xffffffff, v > 0); // <- at
#endif
  if (threadIdx.x == 0) *out = v;
}

int main() {
  int h[32] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
