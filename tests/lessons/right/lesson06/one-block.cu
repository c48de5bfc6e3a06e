/* Right in another way: one block of 1024 threads does everything, so that its results need no other block's;
 * two counts share a word of shared memory and are emptied before they overflow; an atomic by exchange. */
#include "atomics.h"

#define THREADS 1024

static __global__ void maximum_integer(const int32_t *d_x, size_t n, int32_t *d_max) {
  if (threadIdx.x == 0) atomicExch(d_max, INT32_MIN);
  __syncthreads();
  for (size_t i = threadIdx.x; i < n; i += THREADS) atomicMax(d_max, d_x[i]);
}

extern "C" cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  maximum_integer<<<1, THREADS>>>(d_x, n, d_max);
  return cudaGetLastError();
}

/* A thread that gets a larger value back than it put into the word carries the larger value on. */
static __device__ void put_larger(float *word, float value) {
  for (;;) {
    const float before = atomicExch(word, value);
    if (!(before > value)) return;
    value = before;
  }
}

static __global__ void maximum_float(const float *d_x, size_t n, float *d_max) {
  __shared__ float best[32]; /* one for each lane of the warps */
  if (threadIdx.x < 32) best[threadIdx.x] = -INFINITY;
  __syncthreads();
  float mine = -INFINITY;
  for (size_t i = threadIdx.x; i < n; i += THREADS)
    mine = d_x[i] > mine ? d_x[i] : mine; /* false for a NaN */
  put_larger(&best[threadIdx.x % 32], mine);
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int lane = 1; lane < 32; lane++) mine = fmaxf(mine, best[lane]);
  *d_max = fmaxf(mine, best[0]); /* the only block: no atomic is needed */
}

extern "C" cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  maximum_float<<<1, THREADS>>>(d_x, n, d_max);
  return cudaGetLastError();
}

/* Values v and v + 128 share word v: 16 bits each. A round adds at most 16 * 1024 to them. */
static __global__ void count_in_halves(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  __shared__ uint32_t pairs[BINS / 2];
  uint32_t low = 0, high = 0; /* of thread v: the counts of v and v + 128 */
  for (size_t from = 0; from < n; from += 16 * THREADS) {
    if (threadIdx.x < BINS / 2) pairs[threadIdx.x] = 0;
    __syncthreads();
    for (size_t i = from + threadIdx.x; i < n && i < from + 16 * THREADS; i += THREADS)
      atomicAdd(&pairs[d_x[i] % 128], d_x[i] < 128 ? 1u : 1u << 16);
    __syncthreads();
    if (threadIdx.x < BINS / 2) {
      low += pairs[threadIdx.x] & 0xffff;
      high += pairs[threadIdx.x] >> 16;
    }
  }
  if (threadIdx.x < BINS / 2) d_counts[threadIdx.x] = low, d_counts[threadIdx.x + 128] = high;
}

extern "C" cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  count_in_halves<<<1, THREADS>>>(d_x, n, d_counts);
  return cudaGetLastError();
}

static __global__ void sum_pairwise(const float *d_x, size_t n, float *d_sum) {
  __shared__ float part[THREADS];
  float quarters[4] = {};
  for (size_t i = threadIdx.x, k = 0; i < n; i += THREADS, k++) quarters[k % 4] += d_x[i];
  part[threadIdx.x] = (quarters[0] + quarters[1]) + (quarters[2] + quarters[3]);
  for (unsigned step = 1; step < THREADS; step *= 2) { /* neighbours first */
    __syncthreads();
    if (threadIdx.x % (2 * step) == 0) part[threadIdx.x] += part[threadIdx.x + step];
  }
  if (threadIdx.x == 0) *d_sum = part[0];
}

extern "C" cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *) {
  sum_pairwise<<<1, THREADS>>>(d_x, n, d_sum);
  return cudaGetLastError();
}
