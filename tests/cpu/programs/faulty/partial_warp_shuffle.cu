// expect: synccheck: sum
// says: shuffles from lane; which does not take part; no multiple of 32
/* A block of 48: the second warp has 16 lanes, and the reduction asks 32. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  int v = in[threadIdx.x];
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset); // <- at
  if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}

int main() {
  int h[64] = {0}, *in, *out;
#ifdef FIXED
  const int threads = 64; // the rest of the input is zero
#else
  const int threads = 48;
#endif
  for (int i = 0; i < 48; i++) h[i] = 1;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(out, 0, sizeof *out));
  sum<<<1, threads>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
