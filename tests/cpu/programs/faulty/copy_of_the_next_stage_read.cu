// expect: initcheck+racecheck: sums
// says: before the copy to there has arrived; tile; consumer_wait
/* A pipeline of two stages: the tile that is read is the one that is still being filled. */
#include "program.h"
#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

#ifdef FIXED
#define READ 0
#else
#define READ 1
#endif

enum { THREADS = 64, TILES = 4 };

__global__ void sums(const int *in, int *out) {
  __shared__ int tile[2][THREADS];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0;
  pipe.producer_acquire();
  cuda::memcpy_async(block, tile[0], in, sizeof tile[0], pipe);
  pipe.producer_commit();
  for (int t = 0; t < TILES; t++) {
    if (t + 1 < TILES) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[(t + 1) % 2], in + (t + 1) * THREADS, sizeof tile[0], pipe); // <- at
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[(t + READ) % 2][THREADS - 1 - threadIdx.x]; // <- at
    pipe.consumer_release();
  }
  out[threadIdx.x] = sum;
}

int main() {
  int *in, *out;
  CHECK(cudaMalloc(&in, TILES * THREADS * sizeof *in));
  CHECK(cudaMalloc(&out, THREADS * sizeof *out));
  CHECK(cudaMemset(in, 0, TILES * THREADS * sizeof *in));
  sums<<<1, THREADS>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
