// expect: initcheck: reverse
// says: before the copy to there has arrived; tile; the wait of its barrier
/* Copies in the background belong to a phase of the barrier, and nothing waits for that. */
#include "program.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[64];
  __shared__ cuda::barrier<cuda::thread_scope_block> filled;
  const auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&filled, block.size());
  block.sync();
  cuda::memcpy_async(block, tile, in, sizeof tile, filled);
#ifdef FIXED
  filled.arrive_and_wait();
#else
  (void)filled.arrive();
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
