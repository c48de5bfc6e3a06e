// expect: synccheck: halves
// says: can never go on; whose mask names lanes that take another branch|wait at __syncthreads
/* tile.sync() for the lower half of each tile only: the upper half goes on to the end of the block. */
#include "program.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void halves(int *data) {
  __shared__ int s[64];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  const int t = block.thread_rank(), first = tile.meta_group_rank() * 16;
  s[t] = data[t];
#ifdef FIXED
  tile.sync();
  if (tile.thread_rank() < 8) data[t] = s[first + 15 - tile.thread_rank()];
#else
  if (tile.thread_rank() < 8) {
    tile.sync(); // <- at
    data[t] = s[first + 15 - tile.thread_rank()];
  }
#endif
  block.sync(); // <- at
}

int main() {
  int h[64], *d;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  halves<<<1, 64>>>(d);
  cudaDeviceSynchronize();
  cudaFree(d);
}
