/* Cooperative groups below the grid: the block, tiles of every size, groups written for any kind, and a sum
 * over a block built from them. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

struct tile_facts {
  unsigned rank, size, meta_rank, meta_size, ballot, same, all_same;
  int up, down, other, first, any, all;
};

template <unsigned N> __global__ void tiles(tile_facts *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<N> tile = cg::tiled_partition<N>(block);
  const int v = block.thread_rank();
  tile_facts f;
  int all_same;
  f.rank = tile.thread_rank();
  f.size = tile.size();
  f.meta_rank = tile.meta_group_rank();
  f.meta_size = tile.meta_group_size();
  f.up = tile.shfl_up(v, 1);
  f.down = tile.shfl_down(v, 1);
  f.other = tile.shfl_xor(v, N / 2);
  f.first = tile.shfl(v, 0);
  f.any = tile.any(v % 64 == 5);
  f.all = tile.all(v >= 32);
  f.ballot = tile.ballot(v % 2);
  f.same = tile.match_any(v % 3);
  f.all_same = tile.match_all(v / 32, all_same);
  if (!all_same) f.all_same = 0;
  tile.sync();
  out[v] = f;
}

template <unsigned N> static void judge_tiles(tile_facts *d) {
  tile_facts h[64];
  tiles<N><<<1, dim3(16, 4)>>>(d);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (unsigned t = 0; t < 64; t++) {
    const unsigned rank = t % N, first = t - rank;
    unsigned ballot = 0, same = 0;
    bool any = false;
    for (unsigned r = 0; r < N; r++) {
      ballot |= ((first + r) % 2) << r;
      same |= (unsigned)((first + r) % 3 == t % 3) << r;
      any |= first + r == 5;
    }
    expect("rank", t, h[t].rank, rank);
    expect("size", t, h[t].size, N);
    expect("meta_rank", t, h[t].meta_rank, t / N);
    expect("meta_size", t, h[t].meta_size, 64 / N);
    expect("up", t, h[t].up, rank == 0 ? t : t - 1);
    expect("down", t, h[t].down, rank == N - 1 ? t : t + 1);
    expect("xor", t, h[t].other, t ^ (N / 2));
    expect("first", t, h[t].first, first);
    expect("any", t, h[t].any != 0, any);
    expect("all", t, h[t].all != 0, t >= 32);
    expect("ballot", t, h[t].ballot, ballot);
    expect("match_any", t, h[t].same, same);
    expect("match_all", t, h[t].all_same, N == 32 ? 0xffffffffu : (1u << N) - 1);
  }
}

/* For any kind of group: the sum of all ranks, by way of shared memory. */
__device__ int sum_of_ranks(const cg::thread_group &g, int *scratch) {
  const int lane = g.thread_rank();
  int v = lane;
  for (int i = g.size() / 2; i > 0; i /= 2) {
    scratch[lane] = v;
    g.sync();
    if (lane < i) v += scratch[lane + i];
    g.sync();
  }
  return v;
}

__global__ void any_group(int *out) {
  __shared__ int scratch[128];
  const cg::thread_block block = cg::this_thread_block();
  const int whole = sum_of_ranks(block, scratch);
  const cg::thread_group part = cg::tiled_partition(block, 8);
  const int eighth = sum_of_ranks(part, scratch + block.thread_rank() / 8 * 8);
  if (block.thread_rank() == 0) out[0] = whole;
  if (part.thread_rank() == 0) out[1 + block.thread_rank() / 8] = eighth;
}

struct vec {
  double x, y, z;
};

__global__ void block_sum(const float *in, float *out, vec *moved) {
  __shared__ float partial[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const auto quarter = cg::tiled_partition<8>(warp);
  const float x = in[block.group_index().x * block.size() + block.thread_rank()];
  const float sum = cg::reduce(warp, x, cg::plus<float>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  cg::sync(block);
  if (warp.meta_group_rank() == 0) {
    const float mine = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0f;
    const float total = cg::reduce(warp, mine, cg::plus<float>());
    cg::invoke_one(warp, [&] { out[blockIdx.x] = total; });
  }
  const vec v = {(double)block.thread_rank(), 0.5, (double)quarter.meta_group_rank()};
  if (block.group_index().x == 0) moved[block.thread_rank()] = quarter.shfl(v, 7);
}

int main() {
  tile_facts *d_facts;
  CHECK(cudaMalloc(&d_facts, 64 * sizeof *d_facts));
  judge_tiles<1>(d_facts);
  judge_tiles<2>(d_facts);
  judge_tiles<4>(d_facts);
  judge_tiles<8>(d_facts);
  judge_tiles<16>(d_facts);
  judge_tiles<32>(d_facts);
  CHECK(cudaFree(d_facts));

  int ranks[17], *d_ranks;
  CHECK(cudaMalloc(&d_ranks, sizeof ranks));
  any_group<<<1, 128>>>(d_ranks);
  CHECK(cudaMemcpy(ranks, d_ranks, sizeof ranks, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 17; i++) expect("sum of ranks", i, ranks[i], i ? 28 : 127 * 64);
  CHECK(cudaFree(d_ranks));

  float h[3 * 96], sums[3], *d, *d_sums;
  vec moved[96], *d_moved;
  for (int i = 0; i < 3 * 96; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_sums, sizeof sums));
  CHECK(cudaMalloc(&d_moved, sizeof moved));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  block_sum<<<3, 96>>>(d, d_sums, d_moved);
  CHECK(cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(moved, d_moved, sizeof moved, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 3; b++) expect("sum", b, sums[b], 96.0 * (96 * b) + 95 * 48);
  for (int i = 0; i < 96; i++) {
    expect("moved.x", i, moved[i].x, i | 7);
    expect("moved.z", i, moved[i].z, i % 32 / 8);
  }
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_sums));
  CHECK(cudaFree(d_moved));
}
