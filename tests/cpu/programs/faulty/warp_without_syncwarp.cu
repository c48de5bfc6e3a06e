// expect: racecheck: sum
// says: shared memory that another lane of its warp; lanes of a warp do not run in step
/* "A warp runs in step": it did, before 2017. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  __syncwarp();
  for (int w = 16; w > 0; w /= 2) {
    int v = s[t] + s[t + w]; // <- at
#ifdef FIXED
    __syncwarp();
#endif
    s[t] = v; // <- at
#ifdef FIXED
    __syncwarp();
#endif
  }
  if (t == 0) *out = s[0];
}

int main() {
  int h[32] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<1, 32>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
