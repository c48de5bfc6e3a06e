/* Right in another way: the float maximum by compare and swap, grid strides, block by block a histogram for
 * each warp, a sum without a second kernel's blocks: one block of 1024 threads. */
#include "atomics.h"
#include <cuda/atomic>

#define STRIDES(i, n)                                                                                        \
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += (size_t)gridDim.x * blockDim.x)

static __global__ void integers(const int32_t *d_x, size_t n, int32_t *d_max) {
  int32_t best = INT32_MIN;
  STRIDES(i, n) best = max(best, d_x[i]);
  cuda::atomic_ref<int32_t, cuda::thread_scope_device>(*d_max).fetch_max(best, cuda::memory_order_relaxed);
}

static __global__ void begin(int32_t *d_i, float *d_f) {
  if (d_i) *d_i = INT32_MIN;
  if (d_f) *d_f = -INFINITY;
}

extern "C" cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  begin<<<1, 1>>>(d_max, nullptr);
  integers<<<7, 96>>>(d_x, n, d_max);
  return cudaGetLastError();
}

static __device__ void larger(float *d_max, float value) {
  int *word = (int *)d_max, seen = atomicAdd(word, 0);
  while (value > __int_as_float(seen)) {
    const int before = atomicCAS(word, seen, __float_as_int(value));
    if (before == seen) return;
    seen = before;
  }
}

static __global__ void floats(const float *d_x, size_t n, float *d_max) {
  __shared__ float best;
  if (threadIdx.x == 0) best = -INFINITY;
  __syncthreads();
  STRIDES(i, n) larger(&best, d_x[i]); /* false for a NaN */
  __syncthreads();
  if (threadIdx.x == 0) larger(d_max, best);
}

extern "C" cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  begin<<<1, 1>>>(nullptr, d_max);
  floats<<<5, 64>>>(d_x, n, d_max);
  return cudaGetLastError();
}

static __global__ void bytes(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  extern __shared__ uint32_t of_warp[]; /* [warps][256] */
  const int warps = blockDim.x / 32;
  for (int i = threadIdx.x; i < warps * BINS; i += blockDim.x) of_warp[i] = 0;
  __syncthreads();
  STRIDES(i, n) atomicAdd(&of_warp[threadIdx.x / 32 * BINS + d_x[i]], 1u);
  __syncthreads();
  for (int v = threadIdx.x; v < BINS; v += blockDim.x)
    for (int w = 0; w < warps; w++) atomicAdd(&d_counts[v], of_warp[w * BINS + v]);
}

extern "C" cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  cudaMemset(d_counts, 0, BINS * sizeof *d_counts);
  bytes<<<6, 128, 4 * BINS * sizeof(uint32_t)>>>(d_x, n, d_counts);
  return cudaGetLastError();
}

static __global__ void total(const float *d_x, size_t n, float *d_sum) {
  __shared__ double part[1024];
  double mine = 0;
  STRIDES(i, n) mine += d_x[i];
  part[threadIdx.x] = mine;
  for (unsigned half = 512; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) *d_sum = (float)part[0];
}

extern "C" cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *) {
  total<<<1, 1024>>>(d_x, n, d_sum);
  return cudaGetLastError();
}
