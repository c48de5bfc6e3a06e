/* Votes, matches, reductions and the active mask, of whole warps, of parts of warps, and in a warp that is
 * not full. Every lane's answer is compared with one computed on the host. */
#include "program.h"

struct answers {
  unsigned ballot, same, all_mask, sum, low, bits_and, bits_or, bits_xor, branch, lanes_of_half;
  int any, all, all_same, signed_low, signed_high, signed_sum;
};

__host__ __device__ int value_of(int lane) { return (lane * 5) % 7 - 3; }

__global__ void ask(answers *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  const unsigned mask = __ballot_sync(0xffffffffu, i < n);
  if (i >= n) return;
  answers a;
  const int v = value_of(lane);
  a.ballot = __ballot_sync(mask, v > 0);
  a.any = __any_sync(mask, v == 3) != 0;
  a.all = __all_sync(mask, v > -4) != 0;
  a.same = __match_any_sync(mask, v);
  a.all_mask = __match_all_sync(mask, lane / 32, &a.all_same);
  int differ;
  if (__match_all_sync(mask, (double)lane, &differ) != 0 || differ) a.all_same = -1;
  a.signed_sum = __reduce_add_sync(mask, v);
  a.signed_low = __reduce_min_sync(mask, v);
  a.signed_high = __reduce_max_sync(mask, v);
  a.sum = __reduce_add_sync(mask, (unsigned)lane);
  a.low = __reduce_min_sync(mask, (unsigned)v);
  a.bits_and = __reduce_and_sync(mask, ~(1u << lane));
  a.bits_or = __reduce_or_sync(mask, 1u << lane);
  a.bits_xor = __reduce_xor_sync(mask, (unsigned)lane * 0x01010101u);
  a.branch = 0;
  if (lane % 3 == 0) {
    const unsigned here = __activemask();
    a.branch = __reduce_add_sync(here, 1u);
    __syncwarp(here);
  }
  a.lanes_of_half = __reduce_or_sync(mask & (lane < 16 ? 0x0000ffffu : 0xffff0000u), 1u << lane);
  out[i] = a;
}

static void judge(const answers *a, int first, int lanes) {
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  answers w = {};
  w.low = 0xffffffffu;
  w.signed_low = 9;
  w.signed_high = -9;
  w.bits_and = 0xffffffffu;
  for (int l = 0; l < lanes; l++) {
    const int v = value_of(l);
    w.ballot |= (unsigned)(v > 0) << l;
    w.any |= v == 3;
    w.signed_sum += v;
    w.sum += (unsigned)l;
    if (v < w.signed_low) w.signed_low = v;
    if (v > w.signed_high) w.signed_high = v;
    if ((unsigned)v < w.low) w.low = (unsigned)v;
    w.bits_and &= ~(1u << l);
    w.bits_xor ^= (unsigned)l * 0x01010101u;
    w.branch += l % 3 == 0;
  }
  for (int l = 0; l < lanes; l++) {
    const answers *g = &a[first + l];
    unsigned same = 0;
    for (int k = 0; k < lanes; k++) same |= (unsigned)(value_of(k) == value_of(l)) << k;
    expect("ballot", l, g->ballot, w.ballot);
    expect("any", l, g->any, w.any);
    expect("all", l, g->all, 1);
    expect("match_any", l, g->same, same);
    expect("match_all", l, g->all_mask, mask);
    expect("match_all's predicate", l, g->all_same, 1);
    expect("sum", l, g->sum, w.sum);
    expect("signed sum", l, g->signed_sum, w.signed_sum);
    expect("min", l, g->low, w.low);
    expect("signed min", l, g->signed_low, w.signed_low);
    expect("signed max", l, g->signed_high, w.signed_high);
    expect("and", l, g->bits_and, w.bits_and);
    expect("or", l, g->bits_or, mask);
    expect("xor", l, g->bits_xor, w.bits_xor);
    expect("lanes in the branch", l, g->branch, l % 3 == 0 ? w.branch : 0);
    expect("lanes of its half", l, g->lanes_of_half, mask & (l < 16 ? 0x0000ffffu : 0xffff0000u));
  }
}

int main() {
  const int n = 64 + 32 + 20;
  answers h[n], *d;
  CHECK(cudaMalloc(&d, sizeof h));
  ask<<<2, 64>>>(d, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  for (int first = 0; first < n; first += 32) judge(h, first, n - first < 32 ? n - first : 32);
  CHECK(cudaFree(d));
}
