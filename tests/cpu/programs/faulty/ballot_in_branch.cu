// expect: synccheck: count
// says: can never go on; in a branch that not all threads take (a GPU hangs here)
/* Half of the warp votes, the mask names all of it, and the other half waits for the block. */
#include "program.h"

__global__ void count(const int *in, int *out) {
  int t = threadIdx.x;
#ifdef FIXED
  const unsigned mask = 0x0000ffffu;
#else
  const unsigned mask = 0xffffffffu;
#endif
  if (t < 16) {
    unsigned votes = __ballot_sync(mask, in[t] > 0); // <- at
    if (t == 0) *out = __popc(votes);
  }
  __syncthreads(); // <- at
  if (t == 31) *out += 1;
}

int main() {
  int h[32] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  count<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
