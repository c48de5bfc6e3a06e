// Right in an unusual way: a block does whole rows, its threads go along them; rows are dealt out over y and
// z of the grid; an odd number of threads; a template for how many columns a thread takes at a time.
#include "hierarchy.h"

template <int COLUMNS>
static __global__ void scale_rows(float *m, size_t rows, size_t columns, size_t pitch, float factor) {
  const size_t blocks = (size_t)gridDim.y * gridDim.z, block = (size_t)blockIdx.z * gridDim.y + blockIdx.y;
  const size_t team = block * blockDim.y + threadIdx.y, step = (size_t)COLUMNS * blockDim.x;
  for (size_t row = team; row < rows; row += blocks * blockDim.y) {
    float *const r = m + row * pitch;
    for (size_t first = threadIdx.x; first < columns; first += step) {
      for (int k = 0; k < COLUMNS; k++) {
        const size_t column = first + (size_t)k * blockDim.x;
        if (column >= columns) break;
        r[column] *= factor;
      }
    }
  }
}

static __global__ void scale_array(float *x, size_t n, float factor) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    x[i] *= factor;
}

cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads) {
  if (n == 0) return cudaSuccess;
  scale_array<<<dim3(blocks, 1, 1), dim3(threads, 1, 1)>>>(d_x, n, factor);
  const cudaError_t error = cudaGetLastError();
  return error ? error : cudaDeviceSynchronize();
}

cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  scale_rows<1><<<dim3(1, 16, 8), 96>>>(d_m, rows, columns, pitch, factor);
  return cudaGetLastError();
}

cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height) {
  scale_rows<1><<<dim3(1, 40, 3), dim3(width, height)>>>(d_m, rows, columns, columns, factor);
  return rows && columns ? cudaGetLastError() : (cudaGetLastError(), cudaSuccess);
}

cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  scale_rows<4><<<dim3(1, 64, 2), 160>>>(d_m, rows, columns, pitch, factor);
  return cudaGetLastError();
}
