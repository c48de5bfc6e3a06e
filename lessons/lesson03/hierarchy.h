/*
 * lesson03, hierarchy: what you write in hierarchy.cu.
 *
 * All four functions multiply numbers by a factor, in place. They differ in which thread handles which
 * element. All pointers are device memory that starts at a multiple of 256 bytes; sizes count elements, not
 * bytes. Each function launches kernels and returns cudaSuccess, or the first CUDA error that occurred. It
 * need not wait for the kernels, and frees what it allocated. If there are no elements, there is nothing to
 * do, and the launch may be left out.
 */
#ifndef HIERARCHY_H
#define HIERARCHY_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Task 1. d_x[i] *= factor for all i < n, in one launch of exactly `blocks` blocks of `threads` threads,
 * whatever n is: much smaller than blocks * threads, or much larger. If no such launch is possible (0 blocks,
 * or more than 1024 threads in a block), the function returns the launch's error and changes nothing.
 */
cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads);

/*
 * Task 2. Multiplies a matrix of any shape. Element (row, column) is d_m[row * pitch + column]; pitch >=
 * columns, and the padding between the end of a row and the start of the next one must not change. There may
 * be more rows than the y dimension of a grid covers (65535 blocks). You choose the block; x must run along
 * the row.
 */
cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor);

/*
 * Task 3. As task 2 with pitch == columns, in blocks of exactly `width` threads along the row and `height`
 * threads along the column, both at least 1. If width * height is more than a block can have, the function
 * returns the launch's error and changes nothing.
 */
cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height);

/* Go further. As task 2, at 0.9 of the speed of a device copy or better, for any pitch. */
cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor);

#ifdef __cplusplus
}
#endif
#endif
