/*
 * Updates by a load and a store: volatile pointers, atomic loads and stores, exchanges. The twins use such
 * accesses as they are meant: to wait, to pass on values with a fence, to look before an atomic function.
 */
#include "races.h"

#define I static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x)

/* ---- updates ---- */

template <bool fixed> __global__ void counts(int *a, int *b) {
  volatile int *bins = b;
  if (fixed)
    atomicAdd(&b[a[I] % 8], 1);
  else
    bins[a[I] % 8] = bins[a[I] % 8] + 1;
}
template <bool fixed> __global__ void in_two_statements(int *a, int *b) {
  volatile int *bins = b;
  for (int i = I; i < N; i += 128) {
    const int old = bins[a[i] % 8], next = old + a[i];
    if (fixed)
      atomicAdd(&b[a[i] % 8], a[i]);
    else
      bins[a[i] % 8] = next;
  }
}
template <bool fixed> __global__ void in_a_while_loop(int *a, int *b) {
  volatile int *bins = b;
  int i = I;
  while (i < N) {
    if (fixed)
      atomicAdd(&b[a[i] % 8], 1);
    else
      bins[a[i] % 8] += 1;
    i += 128;
  }
}
template <bool fixed> __global__ void behind_a_fence(int *a, int *b) {
  volatile int *bins = b;
  __threadfence();
  if (fixed)
    atomicAdd(&b[a[I] % 8], 1);
  else
    bins[a[I] % 8] = bins[a[I] % 8] + 1;
  __threadfence();
}
template <bool fixed> __global__ void maximum(int *a, int *b) {
  volatile int *most = b;
  const int v = (a[I] * 37) % 64;
  if (v > *most) {
    if (fixed)
      atomicMax(b, v);
    else
      *most = v;
  }
}
__device__ int load(const volatile int *p) { return *p; }
__device__ void store(volatile int *p, int v) { *p = v; }
template <bool fixed> __global__ void by_functions(int *a, int *b) {
  if (fixed)
    atomicAdd(b, a[I]);
  else
    store(b, load(b) + a[I]);
}
template <bool fixed> __global__ void of_blocks(int *a, int *b) {
  volatile int *sum = b;
  if (threadIdx.x) return;
  if (fixed)
    atomicAdd(b, a[blockIdx.x]);
  else
    *sum += a[blockIdx.x];
}
template <bool fixed> __global__ void of_bytes(int *a, int *b) {
  volatile unsigned char *bytes = reinterpret_cast<unsigned char *>(b);
  const int i = fixed ? I : a[I] % 8;
  bytes[i] = static_cast<unsigned char>(bytes[i] + 1);
}
template <bool fixed> __global__ void beside_atomics(int *a, int *b) {
  volatile int *sum = b;
  if (fixed || I % 2)
    atomicAdd(b, a[I]);
  else
    *sum = *sum + a[I];
}
template <bool fixed> __global__ void plain_load(int *a, int *b) {
  volatile int *sum = b;
  if (fixed)
    atomicAdd(b, a[I]);
  else
    *sum = *b + a[I];
}
/* Each half of it is an operation of another kind. */
template <bool fixed> __global__ void atomic_load_and_volatile_store(int *a, int *b) {
  volatile int *sum = b;
  if (fixed)
    __nv_atomic_fetch_add(b, a[I], __NV_ATOMIC_RELAXED);
  else
    *sum = __nv_atomic_load_n(b, __NV_ATOMIC_RELAXED) + a[I];
}
template <bool fixed> __global__ void volatile_load_and_atomic_store(int *a, int *b) {
  const volatile int *sum = b;
  if (fixed)
    __nv_atomic_fetch_add(b, a[I], __NV_ATOMIC_RELAXED);
  else
    __nv_atomic_store_n(b, *sum + a[I], __NV_ATOMIC_RELAXED);
}
template <bool fixed> __global__ void exchanged(int *a, int *b) {
  if (fixed)
    atomicAdd(b, a[I]);
  else
    atomicExch(b, *b + a[I]);
}
template <bool fixed> __global__ void exchanged_maximum(int *a, int *b) {
  const volatile int *most = b;
  const int v = (a[I] * 37) % 64;
  if (v > *most) {
    if (fixed)
      atomicMax(b, v);
    else
      atomicExch(b, v);
  }
}
template <bool fixed> __global__ void swapped(int *a, int *b) {
  const volatile int *sum = b;
  int i = I;
  while (i < N) {
    int old = *sum;
    if (!fixed) atomicCAS(b, old, old + a[i]);
    for (int seen = ~old; fixed && seen != old;) {
      seen = old;
      old = atomicCAS(b, seen, seen + a[i]);
    }
    i += 128;
  }
}
template <bool fixed> __global__ void swapped_from_plain(int *a, int *b) {
  int left = 4;
  while (left > 0) {
    left--;
    int old = *b;
    if (!fixed) atomicCAS(b, old, old + a[I]);
    for (int seen = ~old; fixed && seen != old;) {
      seen = old;
      old = atomicCAS(b, seen, seen + a[I]);
    }
  }
}
template <bool fixed> __global__ void swapped_once_from_atomic(int *a, int *b) {
  int old = atomicAdd(b, 0);
  if (!fixed) atomicCAS(b, old, old + a[I]);
  for (int seen = ~old; fixed && seen != old;) {
    seen = old;
    old = atomicCAS(b, seen, seen + a[I]);
  }
}
template <bool fixed> __global__ void swapped_once_from_swap(int *a, int *b) {
  const int most = atomicCAS(b, 0, 0);
  if (a[I] <= most) return;
  if (fixed)
    atomicMax(b, a[I]);
  else
    atomicCAS(b, most, a[I]);
}
template <bool fixed> __global__ void swapped_twice(int *a, int *b) {
  const int old = atomicOr(b, 0), sum = old + a[I];
  if (fixed) {
    atomicAdd(b, a[I]);
    return;
  }
  const int seen = atomicCAS(b, old, sum);
  if (seen != old) atomicCAS(b, seen, seen + a[I]);
}
template <bool fixed> __global__ void swapped_and_read_again(int *a, int *b) {
  const int old = *b;
  if (fixed)
    atomicAdd(b, a[I]);
  else if (atomicCAS(b, old, old + a[I]) != old) {
    const int seen = *b;
    atomicCAS(b, seen, seen + a[I]);
  }
}
/* One thread of all changes the word; the others look. */
template <bool fixed> __global__ void looked_at(int *a, int *b) {
  const int old = atomicAdd(b, 0);
  if (!fixed || I == 100) atomicCAS(b, old, old + a[I]);
}
/* The state goes on from each of its values once. */
template <bool fixed> __global__ void states(int *, int *b) {
  const int state = atomicAdd(b, 0);
  if (state == 0 && fixed) atomicCAS(b, 0, 1);
  if (state == 1 && fixed) atomicCAS(b, 1, 2);
  if (!fixed) atomicCAS(b, state, state + 1);
}
#define ADD_ONE(p)                                                                                           \
  do {                                                                                                       \
    *(p) = *(p) + 1;                                                                                         \
  } while (0)
template <bool fixed> __global__ void in_a_macro(int *a, int *b) {
  volatile int *bins = b;
  if (fixed)
    atomicAdd(&b[a[I] % 8], 1);
  else
    ADD_ONE(&bins[a[I] % 8]);
}
template <bool fixed> __global__ void different_values(int *, int *b) {
  volatile int *last = b;
  if (threadIdx.x == 0) *last = fixed ? 1 : I;
}
template <bool fixed> __global__ void of_a_block_in_shared(int *a, int *b) {
  __shared__ volatile int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  __threadfence_block();
  if (fixed)
    atomicAdd(b, a[I]);
  else
    sum = sum + a[I];
  __syncthreads();
  if (threadIdx.x == 0) b[I + 1] = sum;
}

/* ---- waiting ---- */

/* Each block in its turn; without the wait the sum is updated out of turn. */
template <bool fixed> __global__ void in_turn(int *a, int *b) {
  volatile int *turn = b, *sum = b + 1;
  if (threadIdx.x) return;
  while (fixed && *turn != static_cast<int>(blockIdx.x)) {
  }
  if (fixed) __threadfence();
  *sum = *sum + a[blockIdx.x];
  __threadfence();
  if (fixed) *turn = *turn + 1;
}
__device__ bool try_turn(volatile int *turn, int mine) {
  if (*turn != mine) return false;
  *turn = mine + 1;
  return true;
}
template <bool fixed> __global__ void turns_by_a_function(int *, int *b) {
  if (threadIdx.x) return;
  if (fixed)
    while (!try_turn(b, static_cast<int>(blockIdx.x))) {
    }
  else
    b[1] += 1;
}
template <bool fixed> __global__ void with_patience(int *, int *b) {
  volatile int *turn = b;
  if (threadIdx.x) return;
  for (int tries = 0; tries < 1000000; tries++) {
    if (*turn != static_cast<int>(blockIdx.x)) continue;
    *turn = static_cast<int>(blockIdx.x) + 1;
    break;
  }
  if (!fixed) turn[1] = turn[1] + 1;
}
/* A barrier of all blocks, whose generation the last one to come moves on. */
__device__ void meet(int *count, volatile int *generation) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    const int now = *generation;
    if (atomicAdd(count, 1) == static_cast<int>(gridDim.x) - 1) {
      *count = 0;
      __threadfence();
      *generation = now + 1;
    } else {
      while (*generation == now) {
      }
    }
    __threadfence();
  }
  __syncthreads();
}
template <bool fixed> __global__ void by_a_barrier_of_blocks(int *, int *b) {
  volatile int *sum = b + 2;
  for (int round = 0; round < 4; round++) {
    if (threadIdx.x == 0 && (!fixed || round == static_cast<int>(blockIdx.x))) *sum = *sum + 1;
    meet(&b[0], &b[1]);
  }
}
/* Decoupled look-back: each block's word holds a flag and a value. */
template <bool fixed> __global__ void looks_back(int *a, int *b) {
  volatile int *word = b;
  if (threadIdx.x) return;
  const int block = static_cast<int>(blockIdx.x);
  int before = 0;
  if (block > 0) {
    word[block] = 2 * a[block] + 2000;
    int seen;
    do {
      seen = word[block - 1];
    } while (seen < 4000);
    before = seen - 4000;
  }
  word[block] = 4000 + before + 2 * a[block];
  if (!fixed) word[100] = word[100] + before;
}
template <bool fixed> __global__ void test_and_swap(int *a, int *b) {
  volatile int *lock = b, *sum = b + 1;
  if (threadIdx.x) return;
  if (fixed)
    while (*lock != 0 || atomicCAS(b, 0, 1) != 0) {
    }
  __threadfence();
  *sum = *sum + a[blockIdx.x];
  __threadfence();
  if (fixed) *lock = 0;
}
/* The last block adds up; fences make the others' sums visible to it. */
template <bool fixed> __global__ void last_block(int *a, int *b) {
  volatile int *sums = b + 1;
  if (threadIdx.x) return;
  sums[fixed ? blockIdx.x : 0] = a[blockIdx.x] + (fixed ? 0 : sums[0]);
  __threadfence();
  if (atomicAdd(b, 1) < static_cast<int>(gridDim.x) - 1) return;
  int sum = 0;
  unsigned block = 0;
  while (block < gridDim.x) sum += sums[block++];
  sums[0] = sum;
  *b = 0;
}
template <bool fixed> __global__ void lanes_in_step(int *, int *b) {
  volatile int *row = b + 64 * blockIdx.x;
  const int lane = threadIdx.x;
  row[lane] = lane;
  if (fixed) __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (lane < half) row[fixed ? lane : 0] = row[fixed ? lane : 0] + row[lane + half];
    __syncwarp();
  }
}
/* A hint: the atomic function decides. */
template <bool fixed> __global__ void looks_first(int *a, int *b) {
  const volatile int *most = b;
  if (a[I] > *most) atomicMax(b, a[I]);
  if (!fixed) b[1] = *most;
}
template <bool fixed> __global__ void found(int *a, int *b) {
  volatile int *flag = b;
  if (a[I] % 3 == 0 && !*flag) *flag = 1;
  if (!fixed) b[1] = a[I];
}

int main() {
  static const pattern patterns[] = {
      PAIR(counts, 2, 64),
      PAIR(in_two_statements, 2, 64),
      PAIR(in_a_while_loop, 2, 64),
      PAIR(behind_a_fence, 2, 64),
      PAIR(maximum, 2, 64),
      PAIR(by_functions, 2, 64),
      PAIR(of_blocks, 4, 32),
      PAIR(of_bytes, 2, 64),
      PAIR(beside_atomics, 2, 64),
      PAIR(plain_load, 2, 64),
      PAIR(atomic_load_and_volatile_store, 2, 64),
      PAIR(volatile_load_and_atomic_store, 2, 64),
      PAIR(exchanged, 2, 64),
      PAIR(exchanged_maximum, 2, 64),
      PAIR(swapped, 2, 64),
      PAIR(swapped_from_plain, 2, 64),
      PAIR(swapped_once_from_atomic, 2, 64),
      PAIR(swapped_once_from_swap, 2, 64),
      PAIR(swapped_twice, 2, 64),
      PAIR(swapped_and_read_again, 2, 64),
      PAIR(looked_at, 2, 64),
      PAIR(states, 2, 64),
      PAIR(in_a_macro, 2, 64),
      PAIR(different_values, 4, 32),
      PAIR(of_a_block_in_shared, 1, 64),
      PAIR(in_turn, 4, 32),
      PAIR(turns_by_a_function, 4, 32),
      PAIR(with_patience, 4, 32),
      PAIR(by_a_barrier_of_blocks, 4, 32),
      PAIR(looks_back, 4, 32),
      PAIR(test_and_swap, 4, 32),
      PAIR(last_block, 4, 32),
      PAIR(lanes_in_step, 2, 32),
      PAIR(looks_first, 2, 64),
      PAIR(found, 2, 64),
  };
  return run_patterns(patterns, sizeof patterns / sizeof *patterns);
}
