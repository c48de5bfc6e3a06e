// expect: synccheck warning: sum
// says: which does not take part; the mask does not name that lane; NaN or -1
/* The last warp has 16 lanes, and its mask says so. Their values are used only where a lane has sent one, which is
 * right, so it is a warning. */
#include "program.h"

__global__ void sum(const int *in, int *out) {
  int v = in[threadIdx.x];
  const int lane = threadIdx.x % 32;
#ifdef FIXED
  const int lanes = 32;
#else
  const int lanes = threadIdx.x < 32 ? 32 : 16;
#endif
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  for (int offset = 16; offset > 0; offset /= 2) {
    const int other = __shfl_down_sync(mask, v, offset); // <- at
    if (lane + offset < lanes) v += other;
  }
  if (lane == 0) atomicAdd(out, v);
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
  CHECK(cudaMemcpy(h, out, sizeof *h, cudaMemcpyDeviceToHost));
  if (h[0] != 48) printf("the sum is %d\n", h[0]);
  cudaFree(in);
  cudaFree(out);
}
