/* Right in another way: cooperative groups and plain templates; one kernel for every kind of maximum; a
 * histogram with the counts of a value side by side, padded, a warp a block for the sum. */
#include "atomics.h"

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

template <class number> struct least;
template <> struct least<int> {
  static __device__ int value() { return INT32_MIN; }
};
template <> struct least<float> {
  static __device__ float value() { return -INFINITY; }
};

static __device__ void raise(int *d_max, int value) { atomicMax(d_max, value); }
static __device__ void raise(float *d_max, float value) {
  int seen = __float_as_int(-INFINITY); /* a guess */
  for (int before; value > __int_as_float(seen); seen = before) {
    before = atomicCAS((int *)d_max, seen, __float_as_int(value));
    if (before == seen) return;
  }
}

template <class number> static __global__ void begin(number *d_max) { *d_max = least<number>::value(); }

template <class number> static __global__ void find(const number *d_x, size_t n, number *d_max) {
  const cg::thread_block block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  extern __shared__ char memory[];
  number *const of_warp = (number *)memory, best = least<number>::value();
  number mine = best;
  for (size_t i = (size_t)blockIdx.x * block.size() + block.thread_rank(); i < n;
       i += (size_t)gridDim.x * block.size())
    if (d_x[i] > mine) mine = d_x[i];
  for (unsigned step = warp.size() / 2; step > 0; step /= 2) {
    const number other = warp.shfl_down(mine, step);
    if (other > mine) mine = other;
  }
  if (warp.thread_rank() == 0) of_warp[block.thread_rank() / 32] = mine;
  block.sync();
  if (block.thread_rank() != 0) return;
  for (unsigned w = 1; w < block.size() / 32; w++)
    if (of_warp[w] > mine) mine = of_warp[w];
  raise(d_max, mine);
}

template <class number> static cudaError_t maximum(const number *d_x, size_t n, number *d_max) {
  begin<number><<<1, 1>>>(d_max);
  find<number><<<dim3(9), dim3(192), 192 / 32 * sizeof(number)>>>(d_x, n, d_max);
  return cudaPeekAtLastError();
}

extern "C" cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  return maximum(d_x, n, d_max);
}
extern "C" cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  return maximum(d_x, n, d_max);
}

#define COPIES 4
static __global__ void count(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  const cg::thread_block block = cg::this_thread_block();
  __shared__ uint32_t counts[BINS][COPIES + 1];
  for (unsigned v = block.thread_rank(); v < BINS; v += block.size())
    for (uint32_t &copy : counts[v]) copy = 0;
  block.sync();
  const size_t each = (n + gridDim.x - 1) / gridDim.x, from = blockIdx.x * each, to = min(n, from + each);
  for (size_t i = from + block.thread_rank(); i < to; i += block.size())
    atomicAdd_block(&counts[d_x[i]][block.thread_rank() % COPIES], 1u);
  block.sync();
  for (unsigned v = block.thread_rank(); v < BINS; v += block.size())
    atomicAdd(d_counts + v, counts[v][0] + counts[v][1] + counts[v][2] + counts[v][3]);
}

extern "C" cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  const cudaError_t error = cudaMemset(d_counts, 0, BINS * sizeof *d_counts);
  if (error) return error;
  count<<<10, 160>>>(d_x, n, d_counts);
  return cudaPeekAtLastError();
}

static __global__ void sums(const float *d_x, size_t n, float *d_to) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  float mine = 0;
  for (size_t i = (size_t)blockIdx.x * 32 + threadIdx.x; i < n; i += (size_t)gridDim.x * 32) mine += d_x[i];
  for (unsigned step = 1; step < 32; step *= 2) mine += warp.shfl_xor(mine, step);
  if (warp.thread_rank() == 0) d_to[blockIdx.x] = mine;
}

extern "C" cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *d_work) {
  sums<<<96, 32>>>(d_x, n, d_work);
  sums<<<1, 32>>>(d_work, 96, d_sum);
  return cudaGetLastError();
}
