/*
 * Right: no copies by CUDA at all. Managed memory for one task, page-locked host memory that the kernel
 * reaches over the link for another, both filled by plain loops of the host; a block that does 1024 elements
 * with 256 threads, the last elements first; loads and stores past the cache.
 */
#include "kernels.h"

#include <string.h>

namespace {

enum { THREADS = 256, EACH = 4 };

/* The f-th element of this thread: blocks lie one after another, and within a block neighbours stay
 * neighbours. */
__device__ int element(int n, int f) {
  return n - 1 - int(blockIdx.x * (THREADS * EACH) + f * THREADS + threadIdx.x);
}

__global__ void multiply(float *x, int n, float factor) {
  for (int f = 0; f < EACH; f++)
    if (const int i = element(n, f); i >= 0) x[i] *= factor;
}

__global__ void add_blocks(const float *a, const float *b, float *c, int n) {
  float sum[EACH];
#pragma unroll
  for (int f = 0; f < EACH; f++)
    if (const int i = element(n, f); i >= 0) sum[f] = a[i] + b[i];
#pragma unroll
  for (int f = 0; f < EACH; f++)
    if (const int i = element(n, f); i >= 0) c[i] = sum[f];
}

__global__ void add_one(const float *a, const float *b, float *c, int n) {
  if (const auto i = threadIdx.x + size_t(blockDim.x) * blockIdx.x; i < size_t(n)) c[i] = b[i] + a[i];
}

int blocks(int n) { return 1 + (n - 1) / (THREADS * EACH); }

/* Frees what it holds, whichever way the function ends. */
struct locked {
  float *host = nullptr;
  ~locked() { cudaFreeHost(host); }
};

} // namespace

cudaError_t scale_array(float *h_x, int n, float factor) {
  float *both = nullptr; /* host and device use the same pointer */
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaMallocManaged(&both, n * sizeof(float));
  if (error != cudaSuccess) return error;
  for (int i = 0; i < n; i++) both[i] = h_x[i];
  multiply<<<blocks(n), THREADS>>>(both, n, factor);
  error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error == cudaSuccess) memcpy(h_x, both, n * sizeof(float));
  const cudaError_t freed = cudaFree(both);
  return error != cudaSuccess ? error : freed;
}

cudaError_t vector_add_device(const float *d_a, const float *d_b, float *d_c, int n) {
  if (n > 0) add_blocks<<<blocks(n), THREADS, 0, cudaStreamPerThread>>>(d_a, d_b, d_c, n);
  const cudaError_t launched = cudaGetLastError(), waited = cudaStreamSynchronize(cudaStreamPerThread);
  return launched ? launched : waited;
}

cudaError_t vector_add(const float *h_a, const float *h_b, float *h_c, int n, int threads) {
  locked memory;
  float *device;
  if (n == 0) return cudaSuccess;
  if (cudaError_t e = cudaHostAlloc((void **)&memory.host, 3 * sizeof(float) * n, cudaHostAllocMapped))
    return e;
  if (cudaError_t e = cudaHostGetDevicePointer((void **)&device, memory.host, 0)) return e;
  memcpy(memory.host, h_a, n * sizeof(float));
  memcpy(memory.host + n, h_b, n * sizeof(float));
  add_one<<<n / threads + !!(n % threads), threads>>>(device, device + n, device + 2 * size_t(n), n);
  if (cudaError_t e = cudaPeekAtLastError()) return cudaGetLastError(), e;
  if (cudaError_t e = cudaDeviceSynchronize()) return e;
  memcpy(h_c, memory.host + 2 * size_t(n), n * sizeof(float));
  return cudaSuccess;
}

/* Threads of the first blocks move 16 bytes; the very last block moves what is left over, byte by byte in
 * fours. */
static __global__ void add_past_the_cache(const float4 *a, const float4 *b, float4 *c, int n) {
  const int whole = n >> 2;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (blockIdx.x + 1 == gridDim.x) {
    const size_t last = 4 * size_t(whole) + threadIdx.x;
    if (last < size_t(n)) ((float *)c)[last] = ((const float *)a)[last] + ((const float *)b)[last];
  } else if (i < unsigned(whole)) {
    const float4 x = __ldcs(a + i), y = __ldcs(b + i);
    __stcs(c + i, make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w));
  }
}

cudaError_t vector_add_wide(const float *d_a, const float *d_b, float *d_c, int n) {
  const int whole = n / 4;
  add_past_the_cache<<<(whole + 511) / 512 + 1, 512>>>((const float4 *)d_a, (const float4 *)d_b,
                                                       (float4 *)d_c, n);
  return cudaGetLastError();
}
