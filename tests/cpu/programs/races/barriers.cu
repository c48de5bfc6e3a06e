/* Barriers that not all threads of a block reach. */
#include <cooperative_groups.h>

#include "races.h"

#define T    static_cast<int>(threadIdx.x)
#define SIZE static_cast<int>(blockDim.x)

/* ---- in branches and loops ---- */

template <bool fixed> __global__ void barrier_at_the_end_of_a_branch(int *a, int *b) {
  __shared__ int s[128];
  if (fixed || a[T] < 40) {
    s[T] = a[T];
    __syncthreads();
    b[T] = s[T ^ 1];
  }
}
template <bool fixed> __global__ void barrier_for_each_element(int *a, int *b) {
  __shared__ int s[128];
  for (int i = T; i < (fixed ? 4 * SIZE : 3 * SIZE + 7); i += SIZE) {
    s[T] = a[i];
    __syncthreads();
    b[i] = s[T ^ 1];
    __syncthreads();
  }
}
template <bool fixed> __global__ void barrier_in_each_branch(int *a, int *b) {
  if (T < 32) {
    b[T] = a[T];
    if (!fixed) __syncthreads();
  } else {
    b[T] = 2 * a[T];
    if (!fixed) __syncthreads();
  }
  if (fixed) __syncthreads();
}
template <bool fixed> __global__ void barrier_after_a_break(int *a, int *b) {
  for (int turn = 0; turn < 5; turn++) {
    if (turn == (fixed ? 3 : a[T] % 4)) break;
    b[T] += turn;
    __syncthreads();
  }
}
template <bool fixed> __global__ void barrier_in_a_while(int *a, int *b) {
  int left = fixed ? 4 : a[T] % 5;
  while (left-- > 0) {
    b[T] += left;
    __syncthreads();
  }
}
template <bool fixed> __global__ void counting_barrier_in_a_branch(int *a, int *b) {
  const bool mine = a[T] % 2;
  if (fixed)
    b[T] = __syncthreads_count(mine);
  else if (mine)
    b[T] = __syncthreads_count(1);
}
template <bool fixed> __global__ void barriers_of_a_switch(int *, int *b) {
  switch (fixed ? 1 : T % 2) {
  case 0:
    b[T] = 1;
    __syncthreads();
    break;
  default:
    b[T] = 2;
    __syncthreads();
  }
}
__device__ void fill_and_wait(int *s, int value) {
  s[T] = value;
  __syncthreads();
}
template <bool fixed> __global__ void barrier_of_a_function_in_a_branch(int *a, int *b) {
  __shared__ int s[128];
  if (fixed || T < 32) fill_and_wait(s, a[T]);
  b[T] = T < 32 ? s[31 - T] : 0;
}
template <bool fixed> __global__ void barrier_of_a_group_in_a_branch(int *a, int *b) {
  const auto block = cooperative_groups::this_thread_block();
  if (fixed || a[T] > 50) {
    b[T] = 1;
    block.sync();
  }
}

/* ---- by an object, whose function the text does not name ---- */

struct meeting {
  __device__ void operator()(int *to) const {
    if (T >= 120) return;
    __syncthreads();
    *to = 1;
  }
};
template <class Function> __device__ void apply(Function function, int *to) { function(to); }
template <bool fixed> __global__ void barrier_of_a_functor(int *a, int *b) {
  if (fixed || a[T] > 50) apply(meeting(), &b[T]);
}
template <bool fixed> __global__ void barrier_of_an_object(int *a, int *b) {
  const meeting meet;
  if (fixed || a[T] > 50) meet(&b[T]);
}
template <bool fixed> __global__ void barrier_of_a_lambda(int *a, int *b) {
  const auto meet = [=](int *to) {
    if (T >= 120) return;
    __syncthreads();
    *to = 1;
  };
  if (fixed || a[T] > 50) apply(meet, &b[T]);
}

int main() {
  static const pattern patterns[] = {
      BARRIERS(barrier_at_the_end_of_a_branch, 1, 128),
      BARRIERS(barrier_for_each_element, 1, 128),
      BARRIERS(barrier_in_each_branch, 1, 128),
      BARRIERS(barrier_after_a_break, 1, 128),
      BARRIERS(barrier_in_a_while, 1, 128),
      BARRIERS(counting_barrier_in_a_branch, 1, 128),
      BARRIERS(barriers_of_a_switch, 1, 128),
      BARRIERS(barrier_of_a_function_in_a_branch, 1, 128),
      BARRIERS(barrier_of_a_group_in_a_branch, 1, 128),
      BARRIERS(barrier_of_a_functor, 1, 128),
      BARRIERS(barrier_of_an_object, 1, 128),
      BARRIERS(barrier_of_a_lambda, 1, 128),
  };
  return run_patterns(patterns, sizeof patterns / sizeof *patterns);
}
