// flags: -std=c++17
/* Tiles of several warps: they meet, hand over a value, vote and add up, each by itself. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <unsigned Size> __global__ void sums(const int *x, int *y, float *z) {
  __shared__ cg::block_tile_memory<512> scratch;
  __shared__ int values[512];
  auto block = cg::this_thread_block(scratch);
  auto tile = cg::tiled_partition<Size>(block);
  const unsigned rank = tile.thread_rank(), first = tile.meta_group_rank() * tile.size();
  const int t = static_cast<int>(block.thread_rank());
  values[t] = x[t];
  tile.sync();
  int sum = 0;
  for (unsigned i = 0; i < tile.size(); i++) sum += values[first + i];
  const int reduced = cg::reduce(tile, x[t], cg::plus<int>());
  const float most = cg::reduce(tile, static_cast<float>(x[t]), cg::greater<float>());
  const int last = tile.shfl(x[t], Size - 1);
  const int votes = tile.any(rank == 40) + 2 * tile.all(rank < 40) + 4 * tile.all(1) + 8 * tile.any(0);
  y[t] = sum == reduced && votes == 5 && tile.meta_group_size() == 512 / Size ? sum + last : -1;
  z[t] = most;
}

/* A tile is divided again, and one of the tiles works alone. */
__global__ void nested(int *y) {
  __shared__ int values[512];
  auto block = cg::this_thread_block();
  auto half = cg::tiled_partition<256>(block);
  auto part = cg::tiled_partition<64>(half);
  auto warp = cg::tiled_partition<32>(part);
  const int t = static_cast<int>(block.thread_rank());
  y[t] = 0;
  if (half.meta_group_rank() == 1) return;
  values[t] = t;
  if (part.meta_group_rank() == 2) {
    part.sync();
    y[t] = values[t ^ 63] + static_cast<int>(warp.meta_group_rank());
  }
}

template <unsigned Size> static void check(const int *x, int *y, float *z) {
  int h[512];
  float f[512];
  sums<Size><<<1, 512>>>(x, y, z);
  CHECK(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(f, z, sizeof f, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 512; i++) {
    int sum = 0;
    const int first = i / int(Size) * int(Size), last = first + int(Size) - 1;
    for (int j = first; j <= last; j++) sum += j * 7 % 100;
    expect("sum", i, h[i], sum + last * 7 % 100);
    expect("most", i, f[i] >= 98, 1);
  }
}

int main() {
  int h[512], *x, *y;
  float *z;
  for (int i = 0; i < 512; i++) h[i] = i * 7 % 100;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMalloc(&y, sizeof h));
  CHECK(cudaMalloc(&z, 512 * sizeof *z));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  check<64>(x, y, z);
  check<128>(x, y, z);
  check<256>(x, y, z);
  check<512>(x, y, z);
  nested<<<1, 512>>>(y);
  CHECK(cudaMemcpy(h, y, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 512; i++) expect("nested", i, h[i], i / 64 == 2 ? (i ^ 63) + i / 32 % 2 : 0);
  CHECK(cudaFree(x));
  CHECK(cudaFree(y));
  CHECK(cudaFree(z));
}
