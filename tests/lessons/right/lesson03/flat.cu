// Right in an unusual way: one dimension for all. A thread's number is divided into row and column; the
// limits of y never come up. Blocks of any shape get a number too. Goes through the array in pieces of what a
// grid covers.
#include "hierarchy.h"
#include <stdint.h>

static __device__ size_t number_of_thread(void) {
  const size_t in_block = (size_t)threadIdx.y * blockDim.x + threadIdx.x;
  return (size_t)blockIdx.x * blockDim.x * blockDim.y + in_block;
}

static __global__ void scale_flat(float *x, uint64_t rows, uint64_t columns, uint64_t pitch, float factor) {
  const uint64_t threads = (uint64_t)gridDim.x * blockDim.x * blockDim.y;
  for (uint64_t i = number_of_thread(); i < rows * columns; i += threads)
    x[i / columns * pitch + i % columns] *= factor;
}

static cudaError_t launch(float *d_m, size_t rows, size_t columns, size_t pitch, float factor, dim3 block) {
  if (rows * columns == 0) return cudaSuccess;
  scale_flat<<<500, block>>>(d_m, rows, columns, pitch, factor);
  return cudaGetLastError();
}

cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads) {
  if (n == 0) return cudaSuccess;
  void *arguments[5];
  uint64_t one = 1, columns = n;
  arguments[0] = &d_x, arguments[1] = &one, arguments[2] = &columns, arguments[3] = &columns,
  arguments[4] = &factor;
  return cudaLaunchKernel((const void *)scale_flat, dim3(blocks), dim3(threads), arguments, 0, 0);
}

cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  return launch(d_m, rows, columns, pitch, factor, dim3(192));
}

cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height) {
  return launch(d_m, rows, columns, columns, factor, dim3(width, height));
}

cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  return launch(d_m, rows, columns, pitch, factor, dim3(1024));
}
