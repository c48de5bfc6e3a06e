// expect: memcheck: square
// says: a tile at an address that is not a multiple of 32 bytes; wrong row or column
/* The second warp's tile begins one element too early. */
#include "program.h"
#include <mma.h>

using namespace nvcuda;

__global__ void square(const half *in, float *out) {
  const int warp = threadIdx.x / 32;
#ifdef FIXED
  const half *from = in + warp * 256;
#else
  const half *from = in + warp * 255;
#endif
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  wmma::load_matrix_sync(a, from, 16); // <- at
  wmma::load_matrix_sync(b, from, 16);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out + warp * 256, c, 16, wmma::mem_row_major);
}

int main() {
  half *in;
  float *out;
  CHECK(cudaMalloc(&in, 512 * sizeof *in));
  CHECK(cudaMalloc(&out, 512 * sizeof *out));
  CHECK(cudaMemset(in, 0, 512 * sizeof *in));
  square<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
