/* Races in global memory: within a block, and between blocks. */
#include "races.h"

#define I   static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)
#define ALL static_cast<int>(gridDim.x * blockDim.x)

/* ---- one element, two threads ---- */

template <bool fixed> __global__ void reads_the_next(int *a, int *b) { (fixed ? b : a)[I] = a[I + 1]; }
template <bool fixed> __global__ void reads_the_one_before(int *a, int *b) { (fixed ? b : a)[I + 1] = a[I]; }
template <bool fixed> __global__ void reads_across_blocks(int *a, int *b) {
  if (threadIdx.x == 0) (fixed ? b : a)[blockIdx.x] = a[(blockIdx.x + 1) % gridDim.x];
}
template <bool fixed> __global__ void two_writers(int *, int *b) { b[fixed ? I : I / 2] = I; }
template <bool fixed> __global__ void block_forgotten(int *, int *b) { b[fixed ? I : threadIdx.x] = I; }
template <bool fixed> __global__ void scattered(int *a, int *b) { b[fixed ? a[I] : a[I] % 50] = I; }
template <bool fixed> __global__ void chunks_overlap(int *, int *b) {
  for (int i = 4 * I; i < 4 * I + (fixed ? 4 : 5); i++) b[i] = I;
}
template <bool fixed> __global__ void strides_overlap(int *, int *b) {
  for (int i = I; i < 500; i += ALL - (fixed ? 0 : 1)) b[i] = I;
}
template <bool fixed> __global__ void transposed_in_place(int *a, int *) {
  const int x = threadIdx.x % 16, y = threadIdx.x / 16;
  if (fixed && x <= y) return;
  const int other = a[16 * x + y];
  a[16 * x + y] = a[16 * y + x];
  a[16 * y + x] = other;
}
template <bool fixed> __global__ void reversed_in_place(int *a, int *) {
  const int other = ALL - 1 - I;
  if (fixed && I >= other) return;
  const int mine = a[I];
  a[I] = a[other];
  a[other] = mine;
}
template <bool fixed> __global__ void sweeps_of_blocks(int *a, int *b) {
  for (int sweep = 0; sweep < (fixed ? 1 : 2); sweep++) {
    const int *from = sweep % 2 ? b : a;
    int *to = sweep % 2 ? a : b;
    if (I > 0 && I < ALL - 1) to[I] = (from[I - 1] + from[I + 1]) / 2;
    __syncthreads();
  }
}
template <bool fixed> __global__ void tree_of_blocks(int *a, int *) {
  for (int half = ALL / 2; half >= (fixed ? ALL / 2 : 1); half /= 2) {
    if (I < half) a[I] += a[I + half];
    __syncthreads();
  }
}
template <bool fixed> __global__ void bytes_of_a_word(int *, int *b) {
  char *bytes = reinterpret_cast<char *>(b);
  bytes[fixed ? I : I / 2] = static_cast<char>(I);
}
template <bool fixed> __global__ void bits_of_a_word(int *, int *b) {
  if (fixed)
    atomicOr(&b[I / 32], 1 << I % 32);
  else
    b[I / 32] |= 1 << I % 32;
}

/* ---- sums, maxima, counts ---- */

template <bool fixed> __global__ void sum(int *a, int *b) {
  if (fixed)
    atomicAdd(b, a[I]);
  else
    *b += a[I];
}
template <bool fixed> __global__ void sum_of_blocks(int *a, int *b) {
  if (threadIdx.x) return;
  if (fixed)
    atomicAdd(b, a[blockIdx.x]);
  else
    *b += a[blockIdx.x];
}
template <bool fixed> __global__ void maximum(int *a, int *b) {
  if (fixed)
    atomicMax(b, a[I]);
  else if (*b < a[I])
    *b = a[I];
}
template <bool fixed> __global__ void counted_in_bins(int *a, int *b) {
  if (fixed)
    atomicAdd(&b[a[I] % 8], 1);
  else
    b[a[I] % 8]++;
}
template <bool fixed> __global__ void some_atomically(int *, int *b) {
  if (fixed || I % 2)
    atomicAdd(b, 1);
  else
    *b += 1;
}
template <bool fixed> __global__ void swapped_once(int *a, int *b) {
  int old = *b;
  if (!fixed) {
    atomicCAS(b, old, old + a[I]);
    return;
  }
  int expected;
  do {
    expected = old;
    old = atomicCAS(b, expected, expected + a[I]);
  } while (old != expected);
}
template <bool fixed> __global__ void maximum_of_floats(int *a, int *b) {
  const float mine = static_cast<float>(a[I]);
  if (!fixed && __int_as_float(*b) < mine) *b = __float_as_int(mine);
  for (int old = *b; fixed && __int_as_float(old) < mine;) {
    const int seen = atomicCAS(b, old, __float_as_int(mine));
    if (seen == old) break;
    old = seen;
  }
}
template <bool fixed> __global__ void place_read_before(int *a, int *b) {
  if (fixed) {
    b[1 + atomicAdd(b, 1)] = a[I];
  } else {
    const int place = *b;
    atomicAdd(b, 1);
    b[1 + place] = a[I];
  }
}

/* ---- plain beside atomic ---- */

template <bool fixed> __global__ void cleared_first(int *, int *b) {
  if (!fixed && I == 0) *b = 0;
  __syncthreads();
  atomicAdd(b, 1);
}
template <bool fixed> __global__ void cleared_last(int *, int *b) {
  atomicAdd(b, 1);
  __syncthreads();
  if (!fixed && I == 0) *b = 0;
}
template <bool fixed> __global__ void read_first(int *a, int *b) {
  if (threadIdx.x == 0) a[blockIdx.x] = fixed ? atomicAdd(b, 0) : *b;
  __syncthreads();
  atomicAdd(b, 1);
}
template <bool fixed> __global__ void read_last(int *a, int *b) {
  atomicAdd(b, 1);
  __syncthreads();
  if (threadIdx.x == 0) a[blockIdx.x] = fixed ? atomicAdd(b, 0) : *b;
}
template <bool fixed> __global__ void bins_cleared_by_each_block(int *a, int *b) {
  if (!fixed && threadIdx.x < 8) b[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&b[a[I] % 8], 1);
}
template <bool fixed> __global__ void block_scope(int *, int *b) {
  if (fixed)
    atomicAdd(b, 1);
  else
    atomicAdd_block(b, 1);
}
template <bool fixed> __global__ void block_scope_beside_device_scope(int *, int *b) {
  if (fixed || blockIdx.x)
    atomicMax(b, I);
  else
    atomicMax_block(b, I);
}

/* ---- graphs: the neighbours of i are i ± 1 and 2i ---- */

template <bool fixed> __global__ void pushed(int *a, int *b) {
  const int to[] = {(I + 1) % ALL, (I + ALL - 1) % ALL, 2 * I % ALL};
  for (int i = 0; i < 3; i++) {
    if (fixed)
      atomicAdd(&b[to[i]], a[I]);
    else
      b[to[i]] += a[I];
  }
}
template <bool fixed> __global__ void pulled_in_place(int *a, int *b) {
  const int most = max(a[I], max(a[(I + 1) % ALL], a[2 * I % ALL]));
  (fixed ? b : a)[I] = most;
}
template <bool fixed> __global__ void distances_written(int *a, int *b) {
  const int to = 2 * I % ALL;
  if (fixed)
    atomicMin(&b[to], a[I] + 1);
  else if (b[to] < a[I] + 1)
    b[to] = a[I] + 1;
}
template <bool fixed> __global__ void work_appended(int *a, int *b) {
  if (a[I] % 3) return;
  const int place = fixed ? atomicAdd(b, 1) : (*b)++;
  b[1 + place] = I;
}
template <bool fixed> __global__ void paths_compressed(int *a, int *b) {
  int v = I;
  while (v > a[v] / 2) v = a[v] / 2;
  (fixed ? b : a)[I] = v;
}

/* ---- flags, locks and tickets ---- */

__device__ void lock(int *l) {
  while (atomicCAS(l, 0, 1) != 0) {
  }
  __threadfence();
}
__device__ void unlock(int *l) {
  __threadfence();
  atomicExch(l, 0);
}
template <bool fixed> __global__ void flag_without_fence(int *a, int *b) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    a[0] = 42;
    if (fixed) __threadfence();
    atomicExch(&b[0], 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(&b[0], 0) == 0) {
    }
    __threadfence();
    b[1] = a[0];
  }
}
template <bool fixed> __global__ void fence_of_a_block(int *a, int *b) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    a[0] = 42;
    if (fixed)
      __threadfence();
    else
      __threadfence_block();
    atomicExch(&b[0], 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(&b[0], 0) == 0) {
    }
    b[1] = a[0];
  }
}
template <bool fixed> __global__ void plain_flag(int *a, int *b) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    a[0] = 42;
    __threadfence();
    if (fixed)
      atomicExch(&b[0], 1);
    else
      b[0] = 1;
  } else if (fixed ? atomicAdd(&b[0], 0) : b[0])
    b[1] = a[0];
}
template <bool fixed> __global__ void ticket_without_fence(int *a, int *b) {
  if (threadIdx.x) return;
  a[blockIdx.x] = 1;
  if (fixed) __threadfence();
  if (atomicAdd(&b[0], 1) + 1 < static_cast<int>(gridDim.x)) return;
  for (int i = 0; i < static_cast<int>(gridDim.x); i++) b[1] += a[i];
}
template <bool fixed> __global__ void ticket_before_the_barrier(int *a, int *b) {
  __shared__ bool last;
  if (!fixed && threadIdx.x == 0) last = atomicAdd(&b[0], 1) + 1 == static_cast<int>(gridDim.x);
  a[I] = 1;
  __threadfence();
  __syncthreads();
  if (fixed && threadIdx.x == 0) last = atomicAdd(&b[0], 1) + 1 == static_cast<int>(gridDim.x);
  __syncthreads();
  if (last && threadIdx.x < gridDim.x) b[1 + threadIdx.x] = a[threadIdx.x * blockDim.x];
}
template <bool fixed> __global__ void one_side_locked(int *, int *b) {
  if (threadIdx.x) return;
  if (fixed || blockIdx.x) lock(&b[0]);
  b[1] += 1;
  if (fixed || blockIdx.x) unlock(&b[0]);
}
template <bool fixed> __global__ void two_locks(int *, int *b) {
  if (threadIdx.x) return;
  int *mine = &b[fixed ? 0 : blockIdx.x % 2];
  lock(mine);
  b[2] += 1;
  unlock(mine);
}
template <bool fixed> __global__ void unlocked_too_early(int *, int *b) {
  if (threadIdx.x) return;
  lock(&b[0]);
  const int old = b[1];
  if (!fixed) unlock(&b[0]);
  b[1] = old + 1;
  if (fixed) unlock(&b[0]);
}
template <bool fixed> __global__ void lock_without_fence(int *, int *b) {
  if (threadIdx.x) return;
  while (atomicCAS(&b[0], 0, 1) != 0) {
  }
  b[1] += 1;
  if (fixed) __threadfence();
  atomicExch(&b[0], 0);
}

int main() {
  static const pattern patterns[] = {
      PAIR(reads_the_next, 2, 64),
      PAIR(reads_the_one_before, 2, 64),
      PAIR(reads_across_blocks, 4, 32),
      PAIR(two_writers, 2, 64),
      PAIR(block_forgotten, 2, 64),
      PAIR(scattered, 2, 64),
      PAIR(chunks_overlap, 2, 64),
      PAIR(strides_overlap, 2, 64),
      PAIR(transposed_in_place, 1, 256),
      PAIR(reversed_in_place, 2, 64),
      PAIR(sweeps_of_blocks, 2, 64),
      PAIR(tree_of_blocks, 4, 32),
      PAIR(bytes_of_a_word, 2, 64),
      PAIR(bits_of_a_word, 2, 64),
      PAIR(sum, 2, 64),
      PAIR(sum_of_blocks, 4, 32),
      PAIR(maximum, 2, 64),
      PAIR(counted_in_bins, 2, 64),
      PAIR(some_atomically, 2, 64),
      PAIR(swapped_once, 2, 64),
      PAIR(maximum_of_floats, 2, 64),
      PAIR(place_read_before, 2, 64),
      PAIR(cleared_first, 4, 64),
      PAIR(cleared_last, 4, 64),
      PAIR(read_first, 4, 64),
      PAIR(read_last, 4, 64),
      PAIR(bins_cleared_by_each_block, 4, 64),
      PAIR(block_scope, 4, 64),
      PAIR(block_scope_beside_device_scope, 4, 64),
      PAIR(pushed, 2, 64),
      PAIR(pulled_in_place, 2, 64),
      PAIR(distances_written, 2, 64),
      PAIR(work_appended, 2, 64),
      PAIR(paths_compressed, 2, 64),
      PAIR(flag_without_fence, 2, 32),
      PAIR(fence_of_a_block, 2, 32),
      PAIR(plain_flag, 2, 32),
      PAIR(ticket_without_fence, 4, 32),
      PAIR(ticket_before_the_barrier, 4, 32),
      PAIR(one_side_locked, 4, 32),
      PAIR(two_locks, 4, 32),
      PAIR(unlocked_too_early, 4, 32),
      PAIR(lock_without_fence, 4, 32),
  };
  return run_patterns(patterns, sizeof patterns / sizeof *patterns);
}
