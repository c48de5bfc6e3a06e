/* Groups of whichever lanes are here: one atomic for all of them, their own shuffles and votes, and
 * partitions by a predicate and by a label. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;

/* The manual's example: lanes that come here together share one atomicAdd. */
__device__ int add_one_each(int *counter) {
  const cg::coalesced_group g = cg::coalesced_threads();
  int first = 0;
  if (g.thread_rank() == 0) first = atomicAdd(counter, (int)g.size());
  return g.shfl(first, 0) + g.thread_rank();
}

__global__ void filter(const int *in, int n, int *out, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 3 == 0) out[add_one_each(count)] = in[i];
}

struct facts {
  unsigned rank, size, ballot, same, part_size, part_rank, label_size, part_meta, label_meta, labels, four;
  int up, down, sum, most, inclusive, exclusive, any, all;
};

__global__ void odd_lanes(facts *out) {
  const int t = threadIdx.x;
  if (t % 2 == 0) return;
  const cg::coalesced_group g = cg::coalesced_threads();
  facts f;
  f.rank = g.thread_rank();
  f.size = g.size();
  f.ballot = g.ballot(t > 15);
  f.same = g.match_any(t % 4);
  f.any = g.any(t == 31);
  f.all = g.all(t == 31);
  f.up = g.shfl_up(t, 2);
  f.down = g.shfl_down(t, 2);
  f.sum = cg::reduce(g, t, cg::plus<int>());
  f.most = cg::reduce(g, t % 10, cg::greater<int>());
  f.inclusive = cg::inclusive_scan(g, t);
  f.exclusive = cg::exclusive_scan(g, t, cg::plus<int>());
  const cg::coalesced_group part = cg::binary_partition(g, t < 7);
  f.part_size = part.size();
  f.part_rank = part.thread_rank();
  f.part_meta = part.meta_group_rank();
  const cg::coalesced_group label = cg::labeled_partition(g, t % 6);
  f.label_size = label.size();
  f.label_meta = label.meta_group_rank();
  f.labels = label.meta_group_size();
  const cg::coalesced_group four = cg::tiled_partition(g, 4);
  f.four = four.shfl(t, 3);
  out[t] = f;
}

__global__ void scans(int *inclusive, int *exclusive, unsigned *bits) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int t = threadIdx.x, v = t * t % 11;
  inclusive[t] = cg::inclusive_scan(tile, v);
  exclusive[t] = cg::exclusive_scan(tile, v);
  bits[3 * t] = cg::reduce(tile, 1u << t % 16, cg::bit_or<unsigned>());
  bits[3 * t + 1] = cg::reduce(tile, ~(1u << t % 16), cg::bit_and<unsigned>());
  bits[3 * t + 2] = cg::reduce(tile, (unsigned)t, cg::bit_xor<unsigned>()) +
                    cg::reduce(tile, (unsigned)(t % 16) + 100, cg::less<unsigned>());
}

static void judge_odd_lanes(const facts *h) {
  int before = 0;
  for (int t = 1; t < 32; t += 2) {
    const int rank = t / 2;
    unsigned same = 0;
    for (int r = 0; r < 16; r++) same |= (unsigned)((2 * r + 1) % 4 == t % 4) << r;
    expect("rank", t, h[t].rank, rank);
    expect("size", t, h[t].size, 16);
    expect("ballot", t, h[t].ballot, 0xff00);
    expect("match_any", t, h[t].same, same);
    expect("any", t, h[t].any != 0, 1);
    expect("all", t, h[t].all != 0, 0);
    expect("up", t, h[t].up, rank < 2 ? t : t - 4);
    expect("down", t, h[t].down, rank > 13 ? t : t + 4);
    expect("sum", t, h[t].sum, 256);
    expect("most", t, h[t].most, 9);
    expect("exclusive", t, h[t].exclusive, before);
    before += t;
    expect("inclusive", t, h[t].inclusive, before);
    expect("part's size", t, h[t].part_size, t < 7 ? 3 : 13);
    expect("part's rank", t, h[t].part_rank, t < 7 ? rank : rank - 3);
    expect("label's size", t, h[t].label_size, t % 6 == 1 ? 6 : 5);
    expect("labels", t, h[t].labels, 3);
    expect("of four", t, h[t].four, t / 8 * 8 + 7);
  }
}

int main() {
  const int n = 200;
  int h[n], out[n], count = 0, *d, *d_out, *d_count, found[n] = {0};
  for (int i = 0; i < n; i++) h[i] = i * 7 % n;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMalloc(&d_count, sizeof count));
  CHECK(cudaMemset(d_count, 0, sizeof count));
  CHECK(cudaMemset(d_out, 0, sizeof out));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  filter<<<2, 128>>>(d, n, d_out, d_count);
  CHECK(cudaMemcpy(&count, d_count, sizeof count, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  expect("count", 0, count, 67);
  for (int i = 0; i < count; i++) found[out[i]]++;
  for (int i = 0; i < n; i++) expect("found", i, found[i], i % 3 == 0);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_count));

  facts lanes[32], *d_lanes;
  CHECK(cudaMalloc(&d_lanes, sizeof lanes));
  CHECK(cudaMemset(d_lanes, 0, sizeof lanes));
  odd_lanes<<<1, 32>>>(d_lanes);
  CHECK(cudaMemcpy(lanes, d_lanes, sizeof lanes, cudaMemcpyDeviceToHost));
  judge_odd_lanes(lanes);
  CHECK(cudaFree(d_lanes));

  int inclusive[48], exclusive[48], *d_inclusive, *d_exclusive, sum = 0;
  unsigned bits[144], *d_bits;
  CHECK(cudaMalloc(&d_inclusive, sizeof inclusive));
  CHECK(cudaMalloc(&d_exclusive, sizeof exclusive));
  CHECK(cudaMalloc(&d_bits, sizeof bits));
  scans<<<1, 48>>>(d_inclusive, d_exclusive, d_bits);
  CHECK(cudaMemcpy(inclusive, d_inclusive, sizeof inclusive, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(exclusive, d_exclusive, sizeof exclusive, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(bits, d_bits, sizeof bits, cudaMemcpyDeviceToHost));
  for (int t = 0; t < 48; t++) {
    if (t % 16 == 0) sum = 0;
    expect("exclusive", t, exclusive[t], sum);
    sum += t * t % 11;
    expect("inclusive", t, inclusive[t], sum);
    expect("or", t, bits[3 * t], 0xffff);
    expect("and", t, bits[3 * t + 1], 0xffff0000);
    expect("xor and less", t, bits[3 * t + 2], 100);
  }
  CHECK(cudaFree(d_inclusive));
  CHECK(cudaFree(d_exclusive));
  CHECK(cudaFree(d_bits));
}
