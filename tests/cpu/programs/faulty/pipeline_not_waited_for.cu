// expect: initcheck: sums
// says: before the copy to there has arrived; tile; __pipeline_wait_prior
/* Two tiles in turn, as in pipeline_copies.cu: the wait leaves one batch too many under way, so that each
 * tile is read while it is still being filled. */
#include "program.h"
#include <cuda_pipeline.h>

#ifdef FIXED
#define UNDER_WAY 1
#else
#define UNDER_WAY 2
#endif

enum { THREADS = 64, TILES = 4 };

__global__ void sums(const float4 *in, float *out) {
  __shared__ float4 tile[2][THREADS];
  float sum = 0;
  __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(float4));
  __pipeline_commit();
  for (int t = 0; t < TILES; t++) {
    if (t + 1 < TILES)
      __pipeline_memcpy_async(&tile[(t + 1) % 2][threadIdx.x], &in[(t + 1) * THREADS + threadIdx.x],
                              sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(UNDER_WAY);
    __syncthreads();
    const float4 v = tile[t % 2][THREADS - 1 - threadIdx.x]; // <- at
    sum += v.x + v.y + v.z + v.w;                            // <- at
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

int main() {
  float4 *in;
  float *out;
  CHECK(cudaMalloc(&in, TILES * THREADS * sizeof *in));
  CHECK(cudaMalloc(&out, THREADS * sizeof *out));
  CHECK(cudaMemset(in, 0, TILES * THREADS * sizeof *in));
  sums<<<1, THREADS>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
