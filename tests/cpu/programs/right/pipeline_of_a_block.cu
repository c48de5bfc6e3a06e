/* cuda::make_pipeline(block, &state): stages that all threads fill and read; with so many producers; and with
   roles that the threads name. */
#include "program.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

enum { THREADS = 96, TILE = 96, STAGES = 2, TILES = 7 };
typedef cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> shared_state;

__global__ void together(const int *in, int *out) {
  __shared__ alignas(16) int tile[STAGES][TILE];
  __shared__ shared_state state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  int sum = 0;
  for (int next = 0, now = 0; now < TILES; now++) {
    for (; next < TILES && next < now + STAGES; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[next % STAGES], in + next * TILE, cuda::aligned_size_t<16>(sizeof *tile),
                         pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[now % STAGES][TILE - 1 - t] + tile[now % STAGES][0];
    pipe.consumer_release();
  }
  out[t] = sum;
}

/* The first warp produces, the other two consume. */
template <bool Named> __global__ void apart(const int *in, int *out) {
  __shared__ int tile[STAGES][TILE];
  __shared__ shared_state state;
  const auto block = cg::this_thread_block();
  const int t = threadIdx.x;
  const bool producer = t < 32;
  const auto role = producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = Named ? cuda::make_pipeline(block, &state, role) : cuda::make_pipeline(block, &state, 32);
  int sum = 0;
  for (int now = 0; now < TILES; now++) {
    if (producer) {
      pipe.producer_acquire();
      for (int i = t; i < TILE; i += 32)
        cuda::memcpy_async(&tile[now % STAGES][i], &in[now * TILE + i], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += tile[now % STAGES][TILE - 1 - t] + tile[now % STAGES][0];
      pipe.consumer_release();
    }
  }
  if (!producer) out[t] = sum;
}

int main() {
  static int h[TILES * TILE], result[THREADS];
  int *in, *out;
  for (int i = 0; i < TILES * TILE; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof result));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  for (int way = 0; way < 3; way++) {
    CHECK(cudaMemset(out, 0, sizeof result));
    if (way == 0) together<<<1, THREADS>>>(in, out);
    if (way == 1) apart<false><<<1, THREADS>>>(in, out);
    if (way == 2) apart<true><<<1, THREADS>>>(in, out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost));
    for (int i = way ? 32 : 0; i < THREADS; i++) {
      int want = 0;
      for (int now = 0; now < TILES; now++) want += h[now * TILE + TILE - 1 - i] + h[now * TILE];
      expect(way == 0 ? "together" : way == 1 ? "by count" : "by role", i, result[i], want);
    }
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
