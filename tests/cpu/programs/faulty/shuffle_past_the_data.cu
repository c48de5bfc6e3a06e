// expect: synccheck: sum
// says: lane
/* The guard keeps the last lanes out of the shuffle, and the others read from them. */
#include "program.h"

__global__ void sum(const int *in, int *out, int n) {
  int i = threadIdx.x;
#ifdef FIXED
  int v = i < n ? in[i] : 0;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (i == 0) *out = v;
#else
  if (i < n) {
    int v = in[i];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d); // <- at
    if (i == 0) *out = v;
  }
#endif
}

int main() {
  int h[20] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(in, out, 20);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
