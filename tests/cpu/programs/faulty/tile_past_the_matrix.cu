// expect: memcheck: add_one
// says: past the end of its array
/* A matrix of 24 x 16 in tiles of 16 rows: the last tile has eight rows too many. */
#include "program.h"
#include <mma.h>

using namespace nvcuda;

__global__ void add_one(float *matrix) {
  float *from = matrix + blockIdx.x * 256;
  wmma::fragment<wmma::accumulator, 16, 16, 8, float> tile;
  wmma::load_matrix_sync(tile, from, 16, wmma::mem_row_major); // <- at
  for (int i = 0; i < tile.num_elements; i++) tile.x[i] += 1.0f;
  wmma::store_matrix_sync(from, tile, 16, wmma::mem_row_major);
}

int main() {
#ifdef FIXED
  const int rows = 32;
#else
  const int rows = 24;
#endif
  float *matrix;
  CHECK(cudaMalloc(&matrix, rows * 16 * sizeof *matrix));
  CHECK(cudaMemset(matrix, 0, rows * 16 * sizeof *matrix));
  add_one<<<2, 32>>>(matrix);
  cudaDeviceSynchronize();
  cudaFree(matrix);
}
