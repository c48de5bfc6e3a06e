// expect: racecheck+initcheck: reverse
// says: tile; without synchronisation between them|before; __syncthreads
/* The asynchronous copy to shared memory is started, and the tile
   is read before any thread has waited for it. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, tile, in, sizeof tile); // <- at
#ifdef FIXED
  cg::wait(block);
#endif
  out[threadIdx.x] = tile[63 - threadIdx.x]; // <- at
}

int main() {
  int h[64], *in, *out;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
