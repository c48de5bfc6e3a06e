/* memcpy_async by a block and by a tile, in bytes and in elements, waited for before it is used. */
#include "program.h"
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void reverse_blocks(const int *in, int *out) {
  extern __shared__ int tile[];
  const auto block = cg::this_thread_block();
  const int first = blockIdx.x * blockDim.x, t = threadIdx.x;
  cg::memcpy_async(block, tile, in + first, sizeof(int) * block.size());
  cg::wait(block);
  out[first + t] = tile[blockDim.x - 1 - t];
}

__global__ void reverse_tiles(const short *in, short *out) {
  __shared__ short all[64];
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int first = tile.meta_group_rank() * 16;
  cg::memcpy_async(tile, all + first, 16, in + first, 16);
  cg::wait(tile);
  out[threadIdx.x] = all[first + 15 - tile.thread_rank()];
}

int main() {
  const int n = 192;
  int h[n], out[n], *d, *d_out;
  for (int i = 0; i < n; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_out, sizeof out));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  reverse_blocks<<<3, 64, 64 * sizeof(int)>>>(d, d_out);
  CHECK(cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) expect("out", i, out[i], i / 64 * 64 + 63 - i % 64);
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_out));

  short s[64], s_out[64], *d_s, *d_s_out;
  for (int i = 0; i < 64; i++) s[i] = (short)i;
  CHECK(cudaMalloc(&d_s, sizeof s));
  CHECK(cudaMalloc(&d_s_out, sizeof s_out));
  CHECK(cudaMemcpy(d_s, s, sizeof s, cudaMemcpyHostToDevice));
  reverse_tiles<<<1, 64>>>(d_s, d_s_out);
  CHECK(cudaMemcpy(s_out, d_s_out, sizeof s_out, cudaMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++) expect("s_out", i, s_out[i], i / 16 * 16 + 15 - i % 16);
  CHECK(cudaFree(d_s));
  CHECK(cudaFree(d_s_out));
}
