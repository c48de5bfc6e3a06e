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

// #region task-1
//: /* TODO task 1: a kernel whose threads go through the array in strides of the whole grid. */
/*
 * A grid-stride loop: the grid works on as many neighbouring elements as it has threads, then moves on by as
 * many. The result is correct for any grid, and within each step thread i + 1 still touches the float right
 * after thread i's: a warp's 32 loads are 128 contiguous bytes, four sectors of 32 bytes.
 */
static __global__ void scale_grid_stride_kernel(float *d_x, size_t n, float factor) {
  const size_t stride = (size_t)gridDim.x * blockDim.x; /* in 64 bits: n may exceed an int */
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_x[i] *= factor;
}
// #endregion task-1

cudaError_t scale_grid_stride(float *d_x, size_t n, float factor, int blocks, int threads) {
  // #region task-1
  //: /* TODO task 1: launch it with blocks and threads as they are, and return the error of the launch. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess;
  scale_grid_stride_kernel<<<blocks, threads>>>(d_x, n, factor);
  return cudaGetLastError(); /* 0 blocks or 1025 threads are reported only here */
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: a kernel with column from x and row from y. Which of the two needs a loop? */
/*
 * Two dimensions: x is the column, y the row. Threads of a warp are consecutive in x first, so in a block 32
 * wide a warp is 32 neighbours in one row. The other way round, with x down the column, its 32 elements would
 * be a pitch apart: a load would fetch 32 sectors and use 4 bytes of each.
 *
 * Columns need no loop, since x may have 2^31 - 1 blocks. Rows do: y ends at 65535 blocks.
 */
static __global__ void scale_matrix_kernel(float *d_m, size_t rows, size_t columns, size_t pitch,
                                           float factor) {
  const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return; /* the padding after the row is not ours */
  const size_t stride = (size_t)gridDim.y * blockDim.y;
  for (size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y; row < rows; row += stride)
    d_m[row * pitch + column] *= factor;
}

/* n / d, rounded up. */
static size_t ceil_div(size_t n, size_t d) { return (n + d - 1) / d; }

/* A grid of tiles that covers rows and columns. If y cannot cover all rows, the kernel's loop does the
 * rest. */
static dim3 grid_for(size_t rows, size_t columns, size_t tile_rows, size_t tile_columns) {
  const size_t y = ceil_div(rows, tile_rows);
  return dim3((unsigned)ceil_div(columns, tile_columns), (unsigned)(y < MOST_BLOCKS_Y ? y : MOST_BLOCKS_Y));
}
// #endregion task-2

cudaError_t scale_matrix(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  // #region task-2
  //: /* TODO task 2: a block of two dimensions, a grid of two dimensions, the launch. */
  //: return cudaSuccess;
  if (rows == 0 || columns == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  const dim3 block(32, 8);                           /* one warp along the row, eight rows */
  scale_matrix_kernel<<<grid_for(rows, columns, block.y, block.x), block>>>(d_m, rows, columns, pitch,
                                                                            factor);
  return cudaGetLastError();
  // #endregion task-2
}

cudaError_t scale_in_blocks(float *d_m, size_t rows, size_t columns, float factor, int width, int height) {
  // #region task-3
  //: /* TODO task 3: the kernel of task 2, in blocks of width x height threads. */
  //: return cudaSuccess;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 block((unsigned)width, (unsigned)height);
  scale_matrix_kernel<<<grid_for(rows, columns, block.y, block.x), block>>>(d_m, rows, columns, columns,
                                                                            factor);
  return cudaGetLastError(); /* no size is checked here: the launch itself knows the limits of its device */
  // #endregion task-3
}

// #region task-further
//: /* TODO go further: a kernel in which each thread loads and stores 16 bytes at once. */
/*
 * What changed from scale_matrix_kernel: a thread does a quad, four neighbours, with one load and one store of
 * 16 bytes. Why it helps: there, each thread waits for a load of 4 bytes, and even 2048 threads have only 8 KiB
 * in flight on a multiprocessor, too little for the latency of a load.
 *
 * A quad must begin at a multiple of 16 bytes, but with an odd pitch most rows don't. So the threads of a row
 * begin where the memory's line of 128 bytes begins, at most 31 floats before the row: quads are aligned, and a
 * warp's 32 quads are four whole lines. A quad that reaches out of its row is done element by element.
 */
#define WIDTH 256 /* threads in a block, all along the row */
#define LINE  32  /* floats in 128 bytes */
static __global__ void scale_quads_kernel(float *d_m, size_t rows, size_t columns, size_t pitch,
                                          float factor) {
  const size_t x = 4 * ((size_t)blockIdx.x * WIDTH + threadIdx.x);
  for (size_t row = blockIdx.y; row < rows; row += gridDim.y) {
    const size_t begin = row * pitch, end = begin + columns;
    const size_t first = begin / LINE * LINE + x; /* of this thread's quad */
    if (first >= begin && first + 4 <= end) {
      float4 *quad = (float4 *)(d_m + first);
      const float4 v = *quad;
      *quad = make_float4(factor * v.x, factor * v.y, factor * v.z, factor * v.w);
    } else {
      for (size_t i = first; i < first + 4; i++)
        if (i >= begin && i < end) d_m[i] *= factor;
    }
  }
}
// #endregion task-further

cudaError_t scale_matrix_fast(float *d_m, size_t rows, size_t columns, size_t pitch, float factor) {
  // #region task-further
  //: /* TODO go further: launch it. Four columns for each thread; how many more, if a row begins in a line? */
  //: return cudaSuccess;
  if (rows == 0 || columns == 0) return cudaSuccess;
  const dim3 grid = grid_for(rows, columns + LINE - 1, 1, 4 * WIDTH);
  scale_quads_kernel<<<grid, WIDTH>>>(d_m, rows, columns, pitch, factor);
  return cudaGetLastError();
  // #endregion task-further
}
