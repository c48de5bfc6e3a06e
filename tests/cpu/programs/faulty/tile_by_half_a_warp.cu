// expect: synccheck: add_tile
// says: 16 lanes of a warp call a function of nvcuda::wmma; whole warps
/* A guard for the elements of the output keeps half of the warp out of the product. */
#include "program.h"
#include <mma.h>

using namespace nvcuda;

__global__ void add_tile(const float *in, float *out) {
#ifndef FIXED
  if (threadIdx.x >= 16) return;
#endif
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> tile;
  wmma::load_matrix_sync(tile, in, 16, wmma::mem_row_major); // <- at
  for (int i = 0; i < tile.num_elements; i++) tile.x[i] += 1.0f;
  wmma::store_matrix_sync(out, tile, 16, wmma::mem_row_major); // <- at
}

int main() {
  float h[256] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  add_tile<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
