// expect: initcheck: reverse
// says: before the copy to there has arrived; tile; cg::wait
/* A barrier of the block is taken for the wait: it lets the threads meet, but the copy goes on. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile);
#ifdef FIXED
  cg::wait(block);
#else
  block.sync();
#endif
  out[threadIdx.x] = tile[63 - threadIdx.x]; // <- at
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
