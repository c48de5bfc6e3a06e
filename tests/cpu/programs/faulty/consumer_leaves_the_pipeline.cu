// expect: synccheck: maxima
// says: threads wait in producer_acquire() of a cuda::pipeline; arrivals are missing; a stage that not every producer commits
/* A consumer that has what it wants leaves the loop; but the stages wait for all consumers. */
#include "program.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

enum { TILES = 5 };

__global__ void maxima(const int *in, int *out) {
  __shared__ int tile[2][32];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state, 32);
  const int lane = threadIdx.x % 32;
  int most = 0;
  for (int t = 0; t < TILES; t++)
    if (threadIdx.x < 32) {
      pipe.producer_acquire(); // <- at
      cuda::memcpy_async(&tile[t % 2][lane], &in[t * 32 + lane], sizeof(int), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait(); // <- at
      const int value = tile[t % 2][lane];
      most = value > most ? value : most;
      pipe.consumer_release();
#ifndef FIXED
      if (most > 90) break;
#endif
    }
  if (threadIdx.x >= 32) out[lane] = most;
}

int main() {
  int h[TILES * 32], *in, *out;
  for (int i = 0; i < TILES * 32; i++) h[i] = i * 37 % 101;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, 32 * sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  maxima<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
