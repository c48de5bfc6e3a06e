/* Right in another way: the block settles by one atomic in shared memory a thread; floats are put in the
 * order of integers and back; equal bytes of a warp are found by __match_any_sync and counted by one of its
 * lanes; each block sums a part of its own, in double, and the last
 * block to be done adds up. */
#include "atomics.h"

#define THREADS 128

/* Unsigned integers in the order of the floats; 0 stands for none. */
static __host__ __device__ unsigned rank_of(unsigned bits) { return bits >> 31 ? ~bits : bits | 0x80000000u; }
static __host__ __device__ unsigned bits_of(unsigned rank) { return rank >> 31 ? rank & 0x7fffffffu : ~rank; }

static __global__ void largest_integer(const int32_t *d_x, size_t n, int32_t *d_max) {
  __shared__ int32_t best;
  if (threadIdx.x == 0) best = INT32_MIN;
  __syncthreads();
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(&best, d_x[i]);
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(d_max, best);
}

extern "C" cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  const int32_t least = INT32_MIN;
  cudaMemcpy(d_max, &least, sizeof least, cudaMemcpyHostToDevice);
  if (n > 0) largest_integer<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(d_x, n, d_max);
  return cudaGetLastError();
}

static __global__ void largest_rank(const float *d_x, size_t n, unsigned *d_max) {
  __shared__ unsigned best;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    if (!isnan(d_x[i])) atomicMax(&best, rank_of(__float_as_uint(d_x[i])));
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(d_max, best);
}

static __global__ void rank_to_float(unsigned *d_max) {
  *d_max = *d_max ? bits_of(*d_max) : __float_as_uint(-INFINITY);
}

extern "C" cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  cudaMemsetAsync(d_max, 0, sizeof *d_max);
  largest_rank<<<16, THREADS>>>(d_x, n, (unsigned *)d_max);
  rank_to_float<<<1, 1>>>((unsigned *)d_max);
  return cudaGetLastError();
}

/* All lanes of a warp stay together, with a byte or without. */
static __global__ void count_equals(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  __shared__ uint32_t counts[BINS];
  for (int v = threadIdx.x; v < BINS; v += blockDim.x) counts[v] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  for (size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x - lane; first < n;
       first += (size_t)gridDim.x * blockDim.x) {
    const int value = first + lane < n ? d_x[first + lane] : -1;
    const unsigned equals = __match_any_sync(0xffffffffu, value);
    if (value >= 0 && lane == (unsigned)__ffs(equals) - 1) atomicAdd(&counts[value], __popc(equals));
  }
  __syncthreads();
  for (int v = threadIdx.x; v < BINS; v += blockDim.x) atomicAdd(&d_counts[v], counts[v]);
}

extern "C" cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  cudaMemsetAsync(d_counts, 0, BINS * sizeof *d_counts);
  count_equals<<<12, 2 * THREADS>>>(d_x, n, d_counts);
  return cudaGetLastError();
}

/* How many blocks are done: atomicInc starts again at 0 after the last one. */
static __device__ unsigned done;

/* Each block sums a part of its own, in double. The block that finds all others done adds up, in order. */
static __global__ void part_sums(const float *d_x, size_t n, float *d_work, float *d_sum) {
  const size_t each = (n + gridDim.x - 1) / gridDim.x, from = blockIdx.x * each, to = min(n, from + each);
  double mine = 0;
  for (size_t i = from + threadIdx.x; i < to; i += blockDim.x) mine += d_x[i];
  __shared__ double part[THREADS];
  part[threadIdx.x] = mine;
  for (int half = THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x > 0) return;
  d_work[blockIdx.x] = (float)part[0];
  __threadfence();
  if (atomicInc(&done, gridDim.x - 1) < gridDim.x - 1) return;
  double total = 0;
  for (int k = 0; k < gridDim.x; k++) total += d_work[k];
  *d_sum = (float)total;
}

extern "C" cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *d_work) {
  part_sums<<<24, THREADS>>>(d_x, n, d_work, d_sum);
  return cudaGetLastError();
}
