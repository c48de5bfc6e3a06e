/* cuda::barrier in shared memory: all threads arrive and wait; they arrive early and wait late; some drop out;
   one waits for many that only arrive; phases by their parity, and with a time limit; copies by one thread, by
   a group and by all threads. */
#include "program.h"
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <utility>
namespace cg = cooperative_groups;
using barrier = cuda::barrier<cuda::thread_scope_block>;

enum { THREADS = 96 };

/* Each thread reads its neighbour's value of the last step. */
__global__ void steps(int *out) {
  __shared__ barrier b;
  __shared__ int values[2][THREADS];
  const int t = threadIdx.x, n = blockDim.x;
  if (t == 0) init(&b, n);
  __syncthreads();
  values[0][t] = t;
  for (int step = 0; step < 5; step++) {
    b.arrive_and_wait();
    values[(step + 1) % 2][t] = values[step % 2][(t + 1) % n] + 1;
  }
  b.arrive_and_wait();
  if (blockIdx.x == 1) out[t] = values[1][t];
}

/* What a thread does between arriving and waiting concerns no other thread. */
__global__ void early(int *out) {
  __shared__ barrier b;
  __shared__ int values[THREADS];
  const int t = threadIdx.x, n = blockDim.x;
  if (t == 0) init(&b, n);
  __syncthreads();
  values[t] = t;
  barrier::arrival_token token = b.arrive();
  int own = 0;
  for (int i = 0; i < t; i++) own += i;
  b.wait(std::move(token));
  out[t] = values[n - 1 - t] + own;
}

/* Threads leave one after the other; those that stay go on without them. */
__global__ void dropping(int *out) {
  __shared__ barrier b;
  __shared__ int sums[32];
  const int t = threadIdx.x;
  if (t == 0) init(&b, 32);
  __syncthreads();
  for (int step = 0; step < 32; step++) {
    if (t == step) {
      sums[t] = t + (t ? sums[t - 1] : 0);
      b.arrive_and_drop();
      return;
    }
    b.arrive_and_wait();
    if (t == 31) out[step] = sums[step];
  }
}

/* A warp of workers arrives and goes its way; one thread waits for their results, by turns in two ways. */
__global__ void collected(int *out) {
  __shared__ barrier done;
  __shared__ int parts[32];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (threadIdx.x == 0) init(&done, 32);
  __syncthreads();
  if (warp == 1) {
    parts[lane] = lane;
    (void)done.arrive();
  } else if (lane == 0) {
    done.wait_parity(false);
    int sum = 0;
    for (int i = 0; i < 32; i++) sum += parts[i];
    while (!done.try_wait_parity_for(false, cuda::std::chrono::microseconds(1))) {
    }
    out[0] = sum;
  }
}

/* A warp arrives as one, after it has met. */
__global__ void warps(int *out) {
  __shared__ barrier b;
  __shared__ int values[THREADS];
  const int t = threadIdx.x;
  if (t == 0) init(&b, THREADS / 32);
  __syncthreads();
  values[t] = t;
  __syncwarp();
  if (t % 32 == 0) b.arrive_and_wait();
  __syncwarp();
  out[t] = values[THREADS - 1 - t];
}

template <int Way> __global__ void copies(const int *in, int *out) {
  __shared__ alignas(16) int tile[THREADS];
  __shared__ barrier b;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  if (t == 0) init(&b, blockDim.x);
  block.sync();
  if (Way == 0) cuda::memcpy_async(block, tile, in, sizeof tile, b);
  if (Way == 1) cuda::memcpy_async(block, tile, in, cuda::aligned_size_t<16>(sizeof tile), b);
  if (Way == 2) cuda::memcpy_async(&tile[t], &in[t], sizeof(int), b);
  if (Way == 3 && t == 0) cuda::memcpy_async((void *)tile, (const void *)in, sizeof tile, b);
  b.arrive_and_wait();
  if (blockIdx.x == 0) out[t] = tile[THREADS - 1 - t];
}

static int *out, h[THREADS];
static void fetch() {
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost));
}
static void expect_reversed(const char *what) {
  fetch();
  for (int i = 0; i < THREADS; i++) expect(what, i, h[i], THREADS - 1 - i);
}

int main() {
  int *in;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  steps<<<2, THREADS>>>(out);
  fetch();
  for (int i = 0; i < THREADS; i++) expect("steps", i, h[i], (i + 5) % THREADS + 5);
  early<<<1, THREADS>>>(out);
  fetch();
  for (int i = 0; i < THREADS; i++) expect("early", i, h[i], THREADS - 1 - i + i * (i - 1) / 2);
  dropping<<<1, 32>>>(out);
  fetch();
  for (int i = 0; i < 31; i++) expect("dropping", i, h[i], i * (i + 1) / 2);
  collected<<<1, 64>>>(out);
  fetch();
  expect("collected", 0, h[0], 496);
  warps<<<1, THREADS>>>(out);
  expect_reversed("warps");
  for (int i = 0; i < THREADS; i++) h[i] = i;
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  copies<0><<<2, THREADS>>>(in, out);
  expect_reversed("by the group");
  copies<1><<<1, THREADS>>>(in, out);
  expect_reversed("aligned");
  copies<2><<<1, THREADS>>>(in, out);
  expect_reversed("by each thread");
  copies<3><<<1, THREADS>>>(in, out);
  expect_reversed("by one thread");
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
