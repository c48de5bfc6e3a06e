/* Names that the CUDA headers, the C library or the CPU backend have too: kernels and functions are overloads
   to C++, variables are the program's own, macros touch no header that comes after them. */
#include "program.h"

#define N     32
#define M     4
#define P     2
#define BLOCK 32
#define WIDTH 32
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

namespace cg = cooperative_groups;

float data[N], options = 1;
int lane = 1, arena, count, site_table[2];
extern "C" int needed(int x) { return x + lane; }
extern "C" int finding_add(void) { return 1; }

__device__ float saturate(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
__device__ int swap(int *p, int i, int j) { return p[i] - p[j]; }
template <typename T> __host__ __device__ T max(T a, T b) { return a < b ? b : a; }
__device__ int round(int x, int step) { return x / step * step; }

__global__ void norm(float *x, int n = N) {
  if ((int)threadIdx.x < n) x[threadIdx.x] = saturate(max(2.0f, (float)threadIdx.x));
}
__global__ void min(float *x, float bound) {
  if (x[threadIdx.x] > bound) x[threadIdx.x] = bound;
}
template <int K> __global__ void add(float *x) { x[threadIdx.x] += round(K + 1, K) - K; }
__global__ void reduce(float *x) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const float sum = cg::reduce(tile, x[threadIdx.x], cg::plus<float>());
  x[threadIdx.x] = sum / N;
}

int main() {
  float *x;
  CHECK(cudaMalloc(&x, sizeof data));
  norm<<<1, N>>>(x);
  min<<<1, N>>>(x, 1.0f);
  add<M><<<1, N>>>(x);
  reduce<<<1, N>>>(x);
  CHECK(cudaMemcpy(data, x, sizeof data, cudaMemcpyDeviceToHost));
  for (int i = 0; i < N; i++) expect("x", i, data[i], options);
  expect("names", 0, needed(1) + finding_add() + arena + count + site_table[1], 3);
  CHECK(cudaFree(x));
}
