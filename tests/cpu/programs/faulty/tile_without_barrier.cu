// expect: racecheck: square
// says: shared memory
/* Two warps fill a tile in shared memory and multiply it, without a barrier in between. */
#include "program.h"
#include <mma.h>

using namespace nvcuda;

__global__ void square(const half *in, float *out) {
  __shared__ alignas(32) half tile[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) tile[i] = in[i]; // <- at
#ifdef FIXED
  __syncthreads();
#endif
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  wmma::load_matrix_sync(a, tile, 16); // <- at
  wmma::load_matrix_sync(b, tile, 16); // <- at
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out + threadIdx.x / 32 * 256, c, 16, wmma::mem_row_major);
}

int main() {
  half *in;
  float *out;
  CHECK(cudaMalloc(&in, 256 * sizeof *in));
  CHECK(cudaMalloc(&out, 512 * sizeof *out));
  CHECK(cudaMemset(in, 0, 256 * sizeof *in));
  square<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
