// expect: synccheck: reverse
// says: calls a warp function with mask 0x0000ffff, which does not name it; a lane's own bit must be set
/* A mask for half a warp, used by all of it: the upper lanes are not named, and nothing holds them back. */
#include "program.h"

__global__ void reverse(int *data) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = data[t];
#ifdef FIXED
  __syncwarp(0xffffffff);
#else
  __syncwarp(0x0000ffff); // <- at
#endif
  data[t] = s[(t & 16) + 15 - (t & 15)];
}

int main() {
  int h[32], *d;
  for (int i = 0; i < 32; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 32>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaFree(d);
}
