// expect: memcheck: copy_tile
// says: a tile whose rows are 68 bytes apart, which is no multiple of 16; pad the rows
/* Rows of 17 floats, as one pads a tile against bank conflicts: a tensor core's tile needs 20. */
#include "program.h"
#include <mma.h>

using namespace nvcuda;

#ifdef FIXED
#define PITCH 20
#else
#define PITCH 17
#endif

__global__ void copy_tile(const float *in, float *out) {
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> tile;
  wmma::load_matrix_sync(tile, in, PITCH, wmma::mem_row_major); // <- at
  wmma::store_matrix_sync(out, tile, 16, wmma::mem_row_major);
}

int main() {
  float *in, *out;
  CHECK(cudaMalloc(&in, 16 * PITCH * sizeof *in));
  CHECK(cudaMalloc(&out, 256 * sizeof *out));
  CHECK(cudaMemset(in, 0, 16 * PITCH * sizeof *in));
  copy_tile<<<1, 32>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
