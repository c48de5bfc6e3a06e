/* Right in another way: everything in a stream of the caller's own making, waited for; constants copied from
 * the host; a maximum of pairs in a warp by butterflies; a histogram of four bytes a load with a copy for
 * each warp; a sum of chunks with compensation (Kahan). */
#include "atomics.h"

#define THREADS 256
#define BLOCKS  20

/* Runs work(stream) in a stream that it makes, waits, and returns the first error. */
template <class function> static cudaError_t in_stream(function work) {
  cudaStream_t stream;
  cudaError_t error = cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  if (error) return error;
  error = work(stream);
  const cudaError_t launched = cudaGetLastError(), waited = cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
  return error ? error : launched ? launched : waited;
}

static __global__ void larger_integers(const int *d_x, size_t n, int *d_max) {
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    if (d_x[i] > INT32_MIN) atomicMax(d_max, d_x[i]);
}

extern "C" cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  const int32_t least = INT32_MIN;
  return in_stream([&](cudaStream_t stream) {
    const cudaError_t error = cudaMemcpyAsync(d_max, &least, sizeof least, cudaMemcpyHostToDevice, stream);
    if (!error) larger_integers<<<BLOCKS, THREADS, 0, stream>>>(d_x, n, d_max);
    return error;
  });
}

static __device__ float warp_maximum(float value) {
  for (int other = 1; other < 32; other *= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, other));
  return value;
}

static __global__ void larger_floats(const float *d_x, size_t n, float *d_max) {
  __shared__ float of_warp[THREADS / 32];
  float best = -INFINITY;
  for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < n; i += (size_t)gridDim.x * THREADS)
    best = fmaxf(best, d_x[i]);
  best = warp_maximum(best);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = best;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (const float value : of_warp) best = fmaxf(best, value);
  if (signbit(best))
    atomicMin((unsigned *)d_max, __float_as_uint(best));
  else
    atomicMax((int *)d_max, __float_as_int(best));
}

extern "C" cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  const float least = -INFINITY;
  return in_stream([&](cudaStream_t stream) {
    const cudaError_t error = cudaMemcpyAsync(d_max, &least, sizeof least, cudaMemcpyHostToDevice, stream);
    if (!error) larger_floats<<<BLOCKS, THREADS, 0, stream>>>(d_x, n, d_max);
    return error;
  });
}

static __global__ void count(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  __shared__ uint32_t counts[THREADS / 32][BINS];
  for (auto &of_warp : counts) of_warp[threadIdx.x] = 0; /* as many threads as values */
  __syncthreads();
  uint32_t *const mine = counts[threadIdx.x / 32];
  const size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
  for (size_t i = at; i < n / 4; i += (size_t)gridDim.x * THREADS) {
    const uchar4 four = ((const uchar4 *)d_x)[i];
    atomicAdd(mine + four.x, 1);
    atomicAdd(mine + four.y, 1);
    atomicAdd(mine + four.z, 1);
    atomicAdd(mine + four.w, 1);
  }
  if (at < n % 4) atomicAdd(mine + d_x[n - 1 - at], 1);
  __syncthreads();
  uint32_t total = 0;
  for (const auto &of_warp : counts) total += of_warp[threadIdx.x];
  atomicAdd(&d_counts[threadIdx.x], total);
}

extern "C" cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  return in_stream([&](cudaStream_t stream) {
    const cudaError_t error = cudaMemsetAsync(d_counts, 0, BINS * sizeof *d_counts, stream);
    if (!error) count<<<BLOCKS, THREADS, 0, stream>>>(d_x, n, d_counts);
    return error;
  });
}

/* The sum of every stride-th number from `at` on; what one addition loses the next one gets. */
static __device__ float compensated(const float *d_x, size_t at, size_t n, size_t stride) {
  float total = 0, lost = 0;
  for (size_t i = at; i < n; i += stride) {
    const float part = d_x[i] - lost, next = total + part;
    lost = (next - total) - part;
    total = next;
  }
  return total;
}

static __global__ void strided_sums(const float *d_x, size_t n, float *d_to) {
  const size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  d_to[at] = compensated(d_x, at, n, (size_t)gridDim.x * blockDim.x);
}

extern "C" cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *d_work) {
  return in_stream([&](cudaStream_t stream) {
    strided_sums<<<WORK_COUNT / THREADS, THREADS, 0, stream>>>(d_x, n, d_work);
    strided_sums<<<1, 1, 0, stream>>>(d_work, WORK_COUNT, d_sum);
    return cudaSuccess;
  });
}
