// expect: synccheck: sum
// says: lanes of one warp meet in different warp functions; in a branch
/* The mask names the whole warp, but lanes without an element go straight to the next warp function. */
#include "program.h"

__global__ void sum(const int *in, int n, int *out) {
  const int i = threadIdx.x;
  int total = 0;
#ifdef FIXED
  total = __reduce_add_sync(0xffffffff, i < n ? in[i] : 0);
#else
  if (i < n) total = __reduce_add_sync(0xffffffff, in[i]); // <- at
#endif
  __syncwarp(); // <- at
  if (i == 0) *out = total;
}

int main() {
  const int n = 20;
  int h[n], *in, *out;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(in, n, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
