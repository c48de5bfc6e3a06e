// Right in an unusual way: the grid's x counts rows, which may have 2^31 - 1 blocks, its y columns; the last
// block does the first elements; square blocks; the loop over columns. A thread's x still runs along the row.
#include "hierarchy.h"

static __global__ void scale_backwards(float *x, size_t n, float factor) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  size_t i = (size_t)(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  for (; i < n; i += stride) x[i] = factor * x[i];
}

static __global__ void scale_tiles(float *m, size_t rows, size_t columns, size_t pitch, float factor) {
  const size_t row = (size_t)blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows) return;
  const size_t stride = (size_t)gridDim.y * blockDim.x;
  for (size_t column = (size_t)blockIdx.y * blockDim.x + threadIdx.x; column < columns; column += stride)
    m[row * pitch + column] *= factor;
}

static cudaError_t launch(float *m, size_t rows, size_t columns, size_t pitch, float factor, dim3 block) {
  if (!rows || !columns) return cudaSuccess;
  const dim3 grid((unsigned)(1 + (rows - 1) / block.y), columns < 1000 ? 1 : 5);
  scale_tiles<<<grid, block>>>(m, rows, columns, pitch, factor);
  return cudaPeekAtLastError();
}

cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads) {
  if (n) scale_backwards<<<blocks, threads>>>(d_x, n, factor);
  return cudaGetLastError();
}

cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  return launch(d_m, rows, columns, pitch, factor, dim3(16, 16));
}

cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height) {
  return launch(d_m, rows, columns, columns, factor, dim3(width, height));
}

cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  return launch(d_m, rows, columns, pitch, factor, dim3(128, 2));
}
