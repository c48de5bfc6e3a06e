/*
 * lesson03, hierarchy: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; hierarchy.h says what you write in hierarchy.cu.
 */
#include "hierarchy.h"
#include "wb.h"
#include "baselines.h"

static float factor(const wb_case *c) { return (float)c->param[0]; }

/* One float multiplication rounds once, and so does the conversion of the exact product here, so the results
 * are equal. */
static wb_expected scaled(const wb_case *c, size_t i) {
  return (wb_expected){.value = (float)(wb_f32(c, D_M)[i] * c->param[0]), .tolerance = 0};
}

/* ---- Task 1: an array of n, a grid of blocks x threads ---- */

enum { N, GRID_BLOCKS, GRID_THREADS };

static size_t count_n(const wb_case *c) { return c->size.n[N]; }

static int run_grid_stride(const wb_case *c) {
  return scale_grid_stride(wb_f32(c, D_M), c->size.n[N], factor(c), (int)c->size.n[GRID_BLOCKS],
                           (int)c->size.n[GRID_THREADS]);
}

#define MOST_WATCHED 4096

/*
 * A case of .reach: only a few blocks run, and the array has no content, only NaN. Ones in their place show an
 * element that is multiplied twice: in 32 bits the number of threads is a small one, and so is the loop's step.
 */
static int watch_grid_stride(const wb_case *c) {
  static float x[MOST_WATCHED];
  const size_t n = c->size.n[N];
  wb_own_calls(1);
  for (size_t i = 0; i < n; i++) x[i] = 1;
  cudaError_t copied = cudaMemcpy(wb_f32(c, D_M), x, n * sizeof *x, cudaMemcpyHostToDevice);
  wb_own_calls(0);
  if (copied) return copied;
  const int status = run_grid_stride(c);
  wb_own_calls(1);
  copied = cudaMemcpy(x, wb_f32(c, D_M), n * sizeof *x, cudaMemcpyDeviceToHost);
  wb_own_calls(0);
  for (size_t i = 0; i < n && !copied; i++)
    if (x[i] != 1 && x[i] != factor(c)) {
      wb_complain(
          "multiplied elements more than once in a grid of more than 2^32 threads: compute the step of the "
          "loop, and where it begins, in size_t");
      break;
    }
  return status ? status : (int)copied;
}

static int call_grid_stride(const wb_case *c) {
  const int beyond_32_bits = c->size.n[GRID_BLOCKS] * c->size.n[GRID_THREADS] > UINT32_MAX;
  return beyond_32_bits && c->size.n[N] <= MOST_WATCHED ? watch_grid_stride(c) : run_grid_stride(c);
}

static wb_expected expect_array(const wb_case *c, int array, size_t i) {
  (void)array;
  return scaled(c, i);
}

static int no_such_grid(const wb_case *c) {
  return c->size.n[N] > 0 &&
         (c->size.n[GRID_BLOCKS] < 1 || c->size.n[GRID_THREADS] < 1 || c->size.n[GRID_THREADS] > 1024);
}

static int asks_grid(const wb_case *c, int which, wb_asked *asked) {
  *asked = (wb_asked){.launches = 1,
                      .grid = {(unsigned)c->size.n[GRID_BLOCKS], 1, 1},
                      .threads = (unsigned)c->size.n[GRID_THREADS]};
  return which == 0 && c->size.n[N] > 0;
}

/* Every element is read and written once. */
static double bytes_array(const wb_case *c) { return 8.0 * (double)c->size.n[N]; }

/*
 * No elements; one element in a large grid; fewer elements than the grid has threads, as many, and more; a
 * grid of one thread, of two, of one block; odd block sizes; many strides. Then grids that can't exist: one
 * thread too many, no block. The large one, on a GPU, has more threads than an int can count.
 */
static const wb_size grid_sizes[] = {
    {{0, 4, 128}},    {{1, 8, 256}},     {{255, 1, 256}},    {{1024, 4, 256}},  {{1025, 4, 256}},
    {{2049, 8, 256}}, {{1023, 1, 1}},    {{1023, 1, 2}},     {{1023, 2, 1}},    {{5000, 1, 1024}},
    {{4099, 3, 100}}, {{300007, 7, 96}}, {{65536, 300, 64}}, {{4096, 4, 1025}}, {{4096, 0, 256}}};

/* ---- Tasks 2 and further: a matrix whose rows are columns + padding apart ---- */

static size_t pitch(const wb_case *c) { return c->size.n[COLUMNS] + c->size.n[PADDING]; }
static size_t count_padded(const wb_case *c) { return c->size.n[ROWS] * pitch(c); }
static wb_rows padded_rows(const wb_case *c) { return (wb_rows){c->size.n[COLUMNS], pitch(c)}; }

static int call_matrix(const wb_case *c) {
  return scale_matrix(wb_f32(c, D_M), c->size.n[ROWS], c->size.n[COLUMNS], pitch(c), factor(c));
}

static int call_fast(const wb_case *c) {
  return scale_matrix_fast(wb_f32(c, D_M), c->size.n[ROWS], c->size.n[COLUMNS], pitch(c), factor(c));
}

/* The padding does not change. */
static wb_expected expect_matrix(const wb_case *c, int array, size_t i) {
  (void)array;
  if (i % pitch(c) >= c->size.n[COLUMNS]) return (wb_expected){.value = wb_f32(c, D_M)[i], .tolerance = 0};
  return scaled(c, i);
}

static double bytes_matrix(const wb_case *c) {
  return 8.0 * (double)c->size.n[ROWS] * (double)c->size.n[COLUMNS];
}

/*
 * No rows, no columns, one element, one row, one column; less and more than a block; far from square, both
 * ways; with and without padding. The tall ones have more rows than 65535 blocks of 1, 8 and 32 rows have, and they
 * are padded.
 */
#define TALL_SIZES 3 /* the last ones */
static const wb_size matrix_sizes[] = {{{0, 5, 1}},      {{5, 0, 1}},      {{1, 1, 0}},     {{1, 1021, 0}},
                                       {{1021, 1, 0}},   {{15, 17, 2}},    {{33, 31, 2}},   {{64, 64, 0}},
                                       {{257, 255, 2}},  {{3, 10007, 6}},  {{10007, 3, 2}}, {{65537, 1, 1}},
                                       {{524281, 1, 1}}, {{2097121, 1, 1}}};
/* The same, and every remainder of 4 columns after whole blocks of 16-byte words, dense and padded; rows
 * of such words that do not all begin at 16 bytes; and columns for whole blocks in rows that begin
 * anywhere in a line of 128 bytes, and 30 less: with up to 31 floats before them they need one block more. */
static const wb_size wide_sizes[] = {
    {{0, 5, 1}},     {{5, 0, 1}},    {{1, 1, 0}},     {{1, 1021, 0}},   {{1021, 1, 0}},   {{15, 17, 2}},
    {{33, 31, 2}},   {{64, 64, 0}},  {{257, 255, 2}}, {{3, 10007, 6}},  {{10007, 3, 2}},  {{3, 1025, 0}},
    {{5, 1025, 3}},  {{6, 1026, 1}}, {{7, 1027, 0}},  {{4, 1028, 4}},   {{5, 1028, 1}},   {{3, 2049, 2}},
    {{33, 1024, 1}}, {{33, 994, 3}}, {{65537, 1, 1}}, {{524281, 1, 1}}, {{2097121, 1, 1}}};

/* ---- Task 3: blocks of `width` threads along the row, `threads` in all ---- */

static size_t height(const wb_case *c) {
  const size_t rows = c->size.n[WIDTH] ? c->size.n[THREADS] / c->size.n[WIDTH] : 0;
  return rows ? rows : 1;
}

static size_t count_dense(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLUMNS]; }

/* --size may give any numbers: the learner's function is never called with sizes that hierarchy.h
 * excludes. */
static int call_blocks(const wb_case *c) {
  if (c->size.n[WIDTH] < 1) return cudaErrorInvalidValue;
  return scale_in_blocks(wb_f32(c, D_M), c->size.n[ROWS], c->size.n[COLUMNS], factor(c),
                         (int)c->size.n[WIDTH], (int)height(c));
}

static int no_such_block(const wb_case *c) {
  return count_dense(c) > 0 && (c->size.n[WIDTH] < 1 || c->size.n[WIDTH] * height(c) > 1024);
}

static int asks_blocks(const wb_case *c, int which, wb_asked *asked) {
  *asked = (wb_asked){.block = {(unsigned)c->size.n[WIDTH], (unsigned)height(c), 1}};
  return which == 0 && count_dense(c) > 0;
}

/*
 * Blocks that are square, wide, high, of one warp, of 1024 threads, of a size that isn't a multiple of 32;
 * more rows than 65535 blocks of height 1 have, and more columns than as many of width 1. Then two that no GPU
 * has: too wide by one thread, too high by one row.
 */
static const wb_size block_sizes[] = {{{0, 5, 32, 256}},    {{5, 0, 32, 256}},     {{1, 1, 16, 256}},
                                      {{33, 65, 32, 32}},   {{65, 33, 32, 1024}},  {{100, 131, 1, 128}},
                                      {{131, 100, 7, 98}},  {{257, 131, 64, 256}}, {{3, 1021, 1024, 1024}},
                                      {{65537, 3, 32, 32}}, {{2, 65537, 1, 1}},    {{40, 40, 1025, 1025}},
                                      {{40, 40, 32, 1056}}};

/* ---- CPU baselines ---- */

static void scale_cpu(const wb_case *c, size_t rows, size_t columns, size_t row_pitch) {
  float *m = wb_f32(c, D_M);
#pragma omp parallel for
  for (size_t row = 0; row < rows; row++)
    for (size_t column = 0; column < columns; column++) m[row * row_pitch + column] *= factor(c);
}

static void array_cpu(const wb_case *c) {
  float *x = wb_f32(c, D_M);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++) x[i] *= factor(c);
}

static void matrix_cpu(const wb_case *c) { scale_cpu(c, c->size.n[ROWS], c->size.n[COLUMNS], pitch(c)); }

static void dense_cpu(const wb_case *c) {
  scale_cpu(c, c->size.n[ROWS], c->size.n[COLUMNS], c->size.n[COLUMNS]);
}

/* ---- Baselines ---- */

/* The timed sizes are 2^26 floats and matrices of about as many; in the last task rows start at any
 * address. */
static const wb_baseline copy[] = {{"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work}};
static const wb_baseline matrix_baselines[] = {
    {"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work},
    {"column-along-x", "the same blocks, but x runs down the column", column_along_x_call, NULL}};

/* Elements of a row that alone passes 2^31. */
#define WIDE_ROW (((size_t)65 << 25) + 11)

/* ---- The table ---- */

static const wb_task tasks[] = {
    {.name = "scale_grid_stride",
     .what = "x = factor * x by a grid of any size",
     .number = 1,
     .dims = "n blocks threads",
     .arrays = {{"d_x", WB_INOUT, WB_DEVICE, WB_F32, count_n}},
     .sizes = grid_sizes,
     .size_count = WB_COUNT(grid_sizes),
     .timed = {{1 << 26, 1 << 16, 256}},
     .large = {{(1u << 29) + 3, (1 << 21) + 1, 1024}},
     .huge = {{(1u << 31) + 11, (1 << 21) + 1, 1024}},
     .reach = {{{((size_t)65 << 25) + 11, (1 << 21) + 1, 1024}}, {{2047, (1 << 22) + 1, 1024}}},
     .trace = {{100003, 24, 128}},
     .special = WB_ANY,
     .call = call_grid_stride,
     .expect = expect_array,
     .asks = asks_grid,
     .must_fail = no_such_grid,
     .launch_fails = 1,
     .bytes = bytes_array,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = array_cpu},
    {.name = "scale_matrix",
     .what = "a matrix of any shape, x along the row",
     .number = 2,
     .dims = "rows columns padding",
     .arrays = {{"d_m", WB_INOUT, WB_DEVICE, WB_F32, count_padded, .rows = padded_rows}},
     .sizes = matrix_sizes,
     .size_count = WB_COUNT(matrix_sizes),
     .tall = TALL_SIZES,
     .timed = {{8191, 8190, 2}},
     .large = {{4200001, 129, 7}},
     .huge = {{16800001, 129, 7}},
     .reach = {{{33600001, 129, 7}}, {{2, WIDE_ROW, 1}}},
     .trace = {{320, 320, 32}},
     .special = WB_ANY,
     .call = call_matrix,
     .expect = expect_matrix,
     .bytes = bytes_matrix,
     .baselines = matrix_baselines,
     .baseline_count = WB_COUNT(matrix_baselines),
     .cpu = matrix_cpu},
    {.name = "scale_in_blocks",
     .what = "the same in blocks of a given shape: width along the row, threads in all",
     .number = 3,
     .dims = "rows columns width threads",
     .arrays = {{"d_m", WB_INOUT, WB_DEVICE, WB_F32, count_dense}},
     .sizes = block_sizes,
     .size_count = WB_COUNT(block_sizes),
     .timed = {{8192, 8192, 32, 256}},
     .large = {{4200001, 129, 32, 256}},
     .huge = {{16800001, 129, 32, 256}},
     .reach = {{{33600001, 129, 32, 256}}, {{2, WIDE_ROW, 32, 256}}},
     .trace = {{320, 320, 64, 256}},
     .special = WB_ANY,
     .call = call_blocks,
     .expect = expect_array,
     .asks = asks_blocks,
     .must_fail = no_such_block,
     .launch_fails = 1,
     .bytes = bytes_matrix,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = dense_cpu},
    {.name = "scale_matrix_fast",
     .what = "a matrix of any shape at the speed of a copy",
     .number = 0,
     .dims = "rows columns padding",
     .arrays = {{"d_m", WB_INOUT, WB_DEVICE, WB_F32, count_padded, .rows = padded_rows}},
     .sizes = wide_sizes,
     .size_count = WB_COUNT(wide_sizes),
     .tall = TALL_SIZES,
     .timed = {{8191, 8190, 3}},
     .large = {{4200001, 129, 8}},
     .huge = {{16800001, 129, 8}},
     .reach = {{{33600001, 129, 8}}, {{2, WIDE_ROW, 1}}},
     .trace = {{320, 320, 32}},
     .special = WB_ANY,
     .call = call_fast,
     .expect = expect_matrix,
     .bytes = bytes_matrix,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = matrix_cpu},
};

static const wb_lesson lesson = {
    .name = "lesson03", .title = "hierarchy", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
