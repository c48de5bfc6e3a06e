/*
 * lesson03, hierarchy: which thread does which element.
 *
 * Threads are numbered in their block, blocks are numbered in their grid, and the hardware groups threads
 * into warps of 32 that run together. The kernels below all do the same multiplication. They differ in the
 * map from those numbers to elements, and that map decides how many sectors of memory a warp requests at
 * once.
 *
 * hierarchy.h says what each function must do. A matrix is stored row by row, with (row, column) at
 * d_m[row * pitch + column]: neighbours in memory are neighbours along the row.
 */
#include "hierarchy.h"

/* A grid's x may have 2^31 - 1 blocks, its y and z 65535. */
#define MOST_BLOCKS_Y 65535

/* TODO task 1: a kernel whose threads go through the array in strides of the whole grid. */

cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads) {
  /* TODO task 1: launch it with blocks and threads as they are, and return the error of the launch. */
  return cudaSuccess;
}

/* TODO task 2: a kernel with column from x and row from y. Which of the two needs a loop? */

cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  /* TODO task 2: a block of two dimensions, a grid of two dimensions, the launch. */
  return cudaSuccess;
}

cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height) {
  /* TODO task 3: the kernel of task 2, in blocks of width x height threads. */
  return cudaSuccess;
}

/* TODO go further: a kernel in which each thread loads and stores 16 bytes at once. */

cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  /* TODO go further: launch it. Four columns for each thread; how many more, if a row begins in a line? */
  return cudaSuccess;
}
