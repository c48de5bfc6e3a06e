// flags: --extended-lambda
/* Threads that return early count as arrived at later barriers, wherever they return; a barrier in a function
 * is one barrier, however often the function is copied; tiles and groups meet on their own. */
#include "program.h"

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void in_the_kernel(int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  __syncthreads();
  out[t] = s[n - 1 - t];
}

__device__ void reverse(int *out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  if (t >= n) return;
  s[t] = t;
  for (int turn = 0; turn < 3; turn++) __syncthreads();
  out[t] = s[n - 1 - t];
}
__global__ void in_a_function(int *out, int n) { reverse(out, n); }

__device__ bool reverse_some(int *out, int n) {
  if (threadIdx.x >= 50) return false;
  reverse(out, n);
  return true;
}
__global__ void in_two_functions(int *out, int n) {
  if (!reverse_some(out, n)) out[threadIdx.x] = -1;
}

template <class F> __global__ void each(F f) { f(threadIdx.x); }

__device__ int mirrored(int value) {
  __shared__ int s[64];
  s[threadIdx.x] = value;
  __syncthreads();
  const int result = s[63 - threadIdx.x];
  __syncthreads();
  return result;
}
__global__ void by_copies(int *out) {
  int sum = threadIdx.x < 100 ? mirrored(1) : 0;
#pragma unroll
  for (int i = 0; i < 4; i++) sum += mirrored(i);
  out[threadIdx.x] = sum;
}

__global__ void in_groups(int *out, int n) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  if (threadIdx.x < 32) {
    tile.sync();
    out[threadIdx.x] = 1;
  }
  block.sync();
  if (threadIdx.x >= n) return;
  block.sync();
  out[n - 1 - threadIdx.x] = threadIdx.x;
}

int main() {
  const int n = 40;
  int h[64], *out;
  CHECK(cudaMalloc(&out, sizeof h));
  for (int which = 0; which < 5; which++) {
    switch (which) {
    // clang-format off
    case 0: in_the_kernel<<<1, 64>>>(out, n); break;
    case 1: in_a_function<<<1, 64>>>(out, n); break;
    case 2: in_two_functions<<<1, 64>>>(out, n); break;
    case 3: in_groups<<<1, 64>>>(out, n); break;
    // clang-format on
    default:
      each<<<1, 64>>>([=] __device__(int i) {
        if (i >= n) return;
        out[i] = 1;
        __syncthreads();
        out[n - 1 - i] = i;
      });
    }
    CHECK(cudaMemcpy(h, out, n * sizeof *h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++) expect("out", i, h[i], n - 1 - i);
  }
  by_copies<<<1, 64>>>(out);
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) expect("sum", i, h[i], 7);
  CHECK(cudaFree(out));
}
