// flags: -std=c++17
// expect: racecheck: turn
// says: shared memory; another thread of its block
/* A tile of two warps reads what its other warp wrote: it has to meet in between. */
#include "program.h"
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void turn(const int *x, int *y) {
  __shared__ int values[128];
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<64>(block);
  const unsigned t = block.thread_rank(), rank = tile.thread_rank();
  values[t] = x[t]; // <- at
#ifdef FIXED
  tile.sync();
#endif
  y[t] = values[t - rank + 63 - rank]; // <- at
}

int main() {
  int *x, *y;
  CHECK(cudaMalloc(&x, 128 * sizeof *x));
  CHECK(cudaMalloc(&y, 128 * sizeof *y));
  CHECK(cudaMemset(x, 0, 128 * sizeof *x));
  turn<<<1, 128>>>(x, y);
  if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
}
