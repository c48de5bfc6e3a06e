/* Races in shared memory, within a warp too. */
#include <cooperative_groups.h>

#include "races.h"

#define T    static_cast<int>(threadIdx.x)
#define SIZE static_cast<int>(blockDim.x)
#define LANE (T % 32)

/* ---- barriers that are missing ---- */

template <bool fixed> __global__ void read_before_filled(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[T];
  if (fixed) __syncthreads();
  b[T] = s[SIZE - 1 - T];
}
template <bool fixed> __global__ void filled_again_too_early(int *a, int *b) {
  __shared__ int s[128];
  for (int turn = 0; turn < 3; turn++) {
    s[T] = a[turn * SIZE + T];
    __syncthreads();
    b[T] += s[SIZE - 1 - T];
    if (fixed) __syncthreads();
  }
}
template <bool fixed> __global__ void barrier_in_the_wrong_place(int *a, int *b) {
  __shared__ int s[128];
  if (!fixed) __syncthreads();
  s[T] = a[T];
  if (fixed) __syncthreads();
  b[T] = s[(T + 1) % SIZE];
}
template <bool fixed> __global__ void broadcast(int *a, int *b) {
  __shared__ int s;
  if (T == 0) s = a[5];
  if (fixed) __syncthreads();
  b[T] = s;
}
template <bool fixed> __global__ void tree(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[T];
  __syncthreads();
  for (int half = SIZE / 2; half; half /= 2) {
    if (T < half) s[T] += s[T + half];
    if (fixed) __syncthreads();
  }
  if (T == 0) *b = s[0];
}
template <bool fixed> __global__ void tree_of_strides(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[T];
  for (int stride = 1; stride < SIZE; stride *= 2) {
    if (fixed || stride > 1) __syncthreads();
    if (T % (2 * stride) == 0) s[T] += s[T + stride];
  }
  if (T == 0) *b = s[0];
}
template <bool fixed> __global__ void scan_in_one_buffer(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[T];
  __syncthreads();
  for (int distance = 1; distance < SIZE; distance *= 2) {
    const int before = T >= distance ? s[T - distance] : 0;
    if (fixed) __syncthreads();
    s[T] += before;
    __syncthreads();
  }
  b[T] = s[T];
}
template <bool fixed> __global__ void two_buffers_one_parity(int *a, int *b) {
  __shared__ int s[2][128];
  s[0][T] = a[T];
  for (int turn = 0; turn < 4; turn++) {
    __syncthreads();
    s[fixed ? (turn + 1) % 2 : turn % 2][T] = s[turn % 2][(T + 1) % SIZE];
  }
  b[T] = s[0][T];
}
template <bool fixed> __global__ void halo_loaded_late(int *a, int *b) {
  __shared__ int s[130];
  s[T + 1] = a[T + 1];
  if (fixed && T == 0) s[0] = a[0], s[SIZE + 1] = a[SIZE + 1];
  __syncthreads();
  if (!fixed && T == 0) s[0] = a[0], s[SIZE + 1] = a[SIZE + 1];
  b[T] = s[T] + s[T + 2];
}
template <bool fixed> __global__ void tile_transposed(int *a, int *b) {
  __shared__ int s[16][17];
  const int x = T % 16, y = T / 16;
  s[y][x] = a[T];
  if (fixed) __syncthreads();
  b[T] = s[x][y];
}
template <bool fixed> __global__ void sorted_by_neighbours(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[SIZE - T];
  __syncthreads();
  for (int turn = 0; turn < 4; turn++) {
    if (T % 2 == turn % 2 && T + 1 < SIZE && s[T] > s[T + 1]) {
      const int other = s[T];
      s[T] = s[T + 1];
      s[T + 1] = other;
    }
    if (fixed) __syncthreads();
  }
  b[T] = s[T];
}
template <bool fixed> __global__ void two_arrays_in_one(int *a, int *b) {
  extern __shared__ int unused[];
  __shared__ int memory[256];
  int *first = memory, *second = memory + (fixed ? SIZE : SIZE / 2);
  first[T] = a[T];
  second[T] = 2 * a[T];
  b[T] = first[T] + second[T];
  (void)unused;
}

/* ---- updates ---- */

template <bool fixed> __global__ void counted(int *a, int *b) {
  __shared__ int s;
  if (T == 0) s = 0;
  __syncthreads();
  if (a[T] % 3 == 0) {
    if (fixed)
      atomicAdd(&s, 1);
    else
      s++;
  }
  __syncthreads();
  if (T == 0) *b = s;
}
template <bool fixed> __global__ void bins(int *a, int *b) {
  __shared__ int s[8];
  if (T < 8) s[T] = 0;
  __syncthreads();
  if (fixed)
    atomicAdd(&s[a[T] % 8], 1);
  else
    s[a[T] % 8]++;
  __syncthreads();
  if (T < 8) atomicAdd(&b[T], s[T]);
}
template <bool fixed> __global__ void bins_read_too_early(int *a, int *b) {
  __shared__ int s[8];
  if (T < 8) s[T] = 0;
  __syncthreads();
  atomicAdd(&s[a[T] % 8], 1);
  if (fixed) __syncthreads();
  if (T < 8) atomicAdd(&b[T], s[T]);
}
template <bool fixed> __global__ void bins_cleared_late(int *a, int *b) {
  __shared__ int s[8];
  if (T < 8) s[T] = 0;
  if (fixed)
    __syncthreads();
  else
    __syncwarp();
  atomicAdd(&s[a[T] % 8], 1);
  __syncthreads();
  if (T < 8) atomicAdd(&b[T], s[T]);
}
template <bool fixed> __global__ void largest(int *a, int *b) {
  __shared__ int s;
  if (T == 0) s = -1;
  __syncthreads();
  if (fixed)
    atomicMax(&s, a[T]);
  else if (a[T] > s)
    s = a[T];
  __syncthreads();
  if (T == 0) *b = s;
}
template <bool fixed> __global__ void queue(int *a, int *b) {
  __shared__ int tail, items[128];
  if (T == 0) tail = 0;
  __syncthreads();
  if (a[T] % 2) items[fixed ? atomicAdd(&tail, 1) : tail++] = a[T];
  __syncthreads();
  if (T < tail) b[T] = items[T];
}
template <bool fixed> __global__ void stack(int *a, int *b) {
  __shared__ int top;
  if (T == 0) top = SIZE;
  __syncthreads();
  const int mine = fixed ? atomicSub(&top, 1) - 1 : --top;
  b[T] = a[mine];
}
template <bool fixed> __global__ void last_one_wins(int *, int *b) {
  __shared__ int s;
  if (fixed ? T == 7 : T % 7 == 0) s = T;
  __syncthreads();
  if (T == 0) *b = s;
}

/* ---- within a warp ---- */

template <bool fixed> __global__ void last_warp_of_a_tree(int *a, int *b) {
  __shared__ int s[64];
  s[T] = a[T];
  __syncthreads();
  if (T < 32) {
    for (int half = 32; half; half /= 2) {
      const int other = s[T + half % 64];
      if (fixed) __syncwarp();
      s[T] += other;
      if (fixed) __syncwarp();
    }
  }
  if (T == 0) *b = s[0];
}
template <bool fixed> __global__ void last_warp_with_volatile(int *a, int *b) {
  __shared__ int s[64];
  volatile int *v = s;
  s[T] = a[T];
  __syncthreads();
  if (T < 32) {
    for (int half = 16; half; half /= 2) {
      const int other = T < half ? v[T + half] : 0;
      if (fixed) __syncwarp();
      if (T < half) v[T] += other;
      if (fixed) __syncwarp();
    }
  }
  if (T == 0) *b = s[0];
}
template <bool fixed> __global__ void shifted_in_a_warp(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[T];
  __syncwarp();
  const int next = s[T - LANE + (LANE + 1) % 32];
  if (fixed) __syncwarp();
  s[T] = next;
  b[T] = s[T];
}
template <bool fixed> __global__ void broadcast_in_a_warp(int *a, int *b) {
  __shared__ int s[4];
  if (LANE == 0) s[T / 32] = a[T];
  if (fixed) __syncwarp();
  b[T] = s[T / 32];
}
template <bool fixed> __global__ void half_of_a_warp(int *a, int *b) {
  __shared__ int s[32];
  if (T >= 32) return;
  s[T] = a[T];
  __syncwarp(fixed ? 0xffffffffu : LANE < 16 ? 0xffffu : 0xffff0000u);
  b[T] = s[31 - T];
}
template <bool fixed> __global__ void warp_for_block(int *a, int *b) {
  __shared__ int s[128];
  s[T] = a[T];
  if (fixed)
    __syncthreads();
  else
    __syncwarp();
  b[T] = s[(T + 32) % SIZE];
}
template <bool fixed> __global__ void tile_too_small(int *a, int *b) {
  namespace cg = cooperative_groups;
  __shared__ int s[128];
  const auto small = cg::tiled_partition<8>(cg::this_thread_block());
  const auto large = cg::tiled_partition<32>(cg::this_thread_block());
  s[T] = a[T];
  if (fixed)
    large.sync();
  else
    small.sync();
  b[T] = s[T - LANE + (LANE + 8) % 32];
}
template <bool fixed> __global__ void leaders_write(int *, int *b) {
  __shared__ int s[4];
  const unsigned active = __ballot_sync(0xffffffffu, LANE % 3 == 0);
  if (LANE == (fixed ? __ffs(static_cast<int>(active)) - 1 : 3 * (LANE / 3))) s[T / 32] = LANE;
  __syncthreads();
  if (T < SIZE / 32) b[T] = s[T];
}
template <bool fixed> __global__ void warps_share_a_slot(int *a, int *b) {
  __shared__ int s[32];
  const int sum = __reduce_add_sync(0xffffffffu, a[T]);
  if (LANE == 0) s[fixed ? T / 32 : T / 64] = sum;
  __syncthreads();
  if (T < SIZE / (fixed ? 32 : 64)) b[T] = s[T];
}

int main() {
  static const pattern patterns[] = {
      PAIR(read_before_filled, 1, 128),
      PAIR(filled_again_too_early, 1, 128),
      PAIR(barrier_in_the_wrong_place, 1, 128),
      PAIR(broadcast, 1, 128),
      PAIR(tree, 1, 128),
      PAIR(tree_of_strides, 1, 128),
      PAIR(scan_in_one_buffer, 1, 128),
      PAIR(two_buffers_one_parity, 1, 128),
      PAIR(halo_loaded_late, 1, 128),
      PAIR(tile_transposed, 1, 256),
      PAIR(sorted_by_neighbours, 1, 128),
      PAIR(two_arrays_in_one, 1, 128),
      PAIR(counted, 1, 128),
      PAIR(bins, 2, 128),
      PAIR(bins_read_too_early, 2, 128),
      PAIR(bins_cleared_late, 2, 128),
      PAIR(largest, 1, 128),
      PAIR(queue, 1, 128),
      PAIR(stack, 1, 128),
      PAIR(last_one_wins, 1, 128),
      PAIR(last_warp_of_a_tree, 1, 64),
      PAIR(last_warp_with_volatile, 1, 64),
      PAIR(shifted_in_a_warp, 1, 128),
      PAIR(broadcast_in_a_warp, 1, 128),
      PAIR(half_of_a_warp, 1, 64),
      PAIR(warp_for_block, 1, 128),
      PAIR(tile_too_small, 1, 128),
      PAIR(leaders_write, 1, 128),
      PAIR(warps_share_a_slot, 1, 128),
  };
  return run_patterns(patterns, sizeof patterns / sizeof *patterns);
}
