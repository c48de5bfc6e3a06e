// expect: synccheck: sum
// says: calls a warp function whose mask does not name its own lane; mask
/* The mask of half a warp, and the whole warp calls. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  int v = in[threadIdx.x];
#ifdef FIXED
  const unsigned mask = 0xffffffffu;
#else
  const unsigned mask = 0x0000ffffu;
#endif
  for (int offset = 8; offset > 0; offset /= 2) v += __shfl_xor_sync(mask, v, offset, 16); // <- at
  out[threadIdx.x] = v;
}

int main() {
  int h[32] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
