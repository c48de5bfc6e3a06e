/* The sum in one kernel: each block takes a ticket, and the last one adds up; the rest in plain ways. */
#include "atomics.h"
#include <math.h>
#define THREADS 256
#define WARP    32
#define ALL     0xffffffffu
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }
__global__ void set_int(int32_t *d_max) { *d_max = INT32_MIN; }
__global__ void max_int(const int32_t *d_x, size_t n, int32_t *d_max) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicMax(d_max, d_x[i]);
}
cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  set_int<<<1, 1>>>(d_max);
  if (n > 0) max_int<<<ceil_div(n, THREADS), THREADS>>>(d_x, n, d_max);
  return cudaGetLastError();
}
__global__ void set_float(float *d_max) { *d_max = -INFINITY; }
static __device__ void atomic_max(float *p, float v) {
  if (__float_as_int(v) >= 0)
    atomicMax((int *)p, __float_as_int(v));
  else
    atomicMin((unsigned *)p, __float_as_uint(v));
}
__global__ void max_float(const float *d_x, size_t n, float *d_max) {
  __shared__ float s[THREADS];
  float v = -INFINITY;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    v = fmaxf(v, d_x[i]);
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] = fmaxf(s[threadIdx.x], s[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) atomic_max(d_max, s[0]);
}
cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  set_float<<<1, 1>>>(d_max);
  unsigned blocks = ceil_div(n, THREADS * 8);
  if (n > 0) max_float<<<blocks, THREADS>>>(d_x, n, d_max);
  return cudaGetLastError();
}
__global__ void count(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  __shared__ uint32_t s[BINS];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) s[b] = 0;
  __syncthreads();
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    atomicAdd(&s[d_x[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x)
    if (s[b]) atomicAdd(&d_counts[b], s[b]);
}
cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  cudaError_t e = cudaMemsetAsync(d_counts, 0, BINS * sizeof(uint32_t), 0);
  if (e) return e;
  unsigned blocks = ceil_div(n, THREADS * 32);
  if (blocks > 512) blocks = 512;
  if (n > 0) count<<<blocks, THREADS>>>(d_x, n, d_counts);
  return cudaGetLastError();
}
#define SUM_BLOCKS 1024
static __device__ float block_sum(float v) {
  __shared__ float s[THREADS];
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  return s[0];
}
/* The blocks that are done. The last one adds up what all have left in d_work, in their order, and begins the
 * count again for the next call. */
__device__ unsigned done;

__global__ void sum_kernel(const float *d_x, size_t n, float *d_work, float *d_sum) {
  __shared__ bool last;
  float v = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    v += d_x[i];
  v = block_sum(v);
  if (threadIdx.x == 0) {
    d_work[blockIdx.x] = v;
    __threadfence();
    last = atomicAdd(&done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  __threadfence();
  v = 0;
  for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x) v += d_work[b];
  v = block_sum(v);
  if (threadIdx.x == 0) {
    *d_sum = v;
    atomicExch(&done, 0u);
  }
}

cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *d_work) {
  sum_kernel<<<SUM_BLOCKS, THREADS>>>(d_x, n, d_work, d_sum);
  return cudaGetLastError();
}
