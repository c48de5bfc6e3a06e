// expect: synccheck: compact
// says: block (0,0,0) can never go on; masks name lanes that never come|wait at __syncthreads
/* Only the lanes that keep their element vote, with a mask that names all of them. */
#include "program.h"

__global__ void compact(const int *in, int *out) {
  const int t = threadIdx.x, v = in[t];
#ifdef FIXED
  const unsigned votes = __ballot_sync(0xffffffff, v > 0);
  if (v > 0) out[__popc(votes & ((1u << t) - 1))] = v;
#else
  if (v > 0) {
    const unsigned votes = __ballot_sync(0xffffffff, v > 0); // <- at
    out[__popc(votes & ((1u << t) - 1))] = v;
  }
#endif
  __syncthreads(); // <- at
}

int main() {
  int h[32], *in, *out;
  for (int i = 0; i < 32; i++) h[i] = i % 3;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  compact<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
