/*
 * lesson01, loops: what one CPU can do, and what holds it back.
 *
 * Three limits, one after the other: how fast memory delivers data (saxpy), in which order a loop reads it
 * (matmul), and how many cores read at once (matmul_parallel, sum_parallel). Later lessons compare every
 * speedup of a GPU with figures like these.
 *
 * loops.h says what each function must do. Sizes are in elements.
 */
#include "loops.h"

#include <stddef.h>

void saxpy(float a, const float *x, float *y, int n) {
  // #region task-1
  //: /* TODO task 1: y[i] = a * x[i] + y[i], for every i from 0 to n - 1. */
  /* One multiplication and one addition for 12 bytes moved: memory limits the speed, not arithmetic. */
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: row i of c. Which of the loops over j and p must be the inner one, so that it runs along
//:  * rows? */
/*
 * Row i of c, as a sum of rows of b: c[i] = a[i][0] * b[0] + a[i][1] * b[1] + ...
 * The inner loop runs along a row of b and a row of c: neighbours in memory, so each cache line that arrives
 * is used completely and the compiler can take 8 or 16 elements at once. With p innermost, b would be read
 * down a column: a new cache line for each element, and one long chain of additions that each wait for the
 * previous one. Measured at 480 x 480 x 480 on one core of an H200's host
 * (results/2026-11-21-nvidia-h200): 10.7 times as fast as that.
 */
static void matmul_row(const float *a, const float *b, float *c, int i, int n, int k) {
  float *row = c + (size_t)i * n;
  for (int j = 0; j < n; j++) row[j] = 0; /* c is uninitialised on entry */
  for (int p = 0; p < k; p++) {
    const float factor = a[(size_t)i * k + p];
    for (int j = 0; j < n; j++) row[j] += factor * b[(size_t)p * n + j];
  }
}
// #endregion task-2

void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  // #region task-2
  //: /* TODO task 2: all rows of c, one after the other. */
  for (int i = 0; i < m; i++) matmul_row(a, b, c, i, n, k);
  // #endregion task-2
}

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
  // #region task-3
  //: /* TODO task 3: the same on all cores. Which loop can you divide among the threads so that no two of them
  //:  * write the same element? */
  /* Each row of c belongs to one iteration, so to one thread. If the loop over p were divided, all threads
   * would add to the same c. On 16 cores of that host: 8.7 times as fast as one. */
#pragma omp parallel for
  for (int i = 0; i < m; i++) matmul_row(a, b, c, i, n, k);
  // #endregion task-3
}

double sum_parallel(const float *x, int n) {
  // #region task-4
  //: /* TODO task 4: the sum, in double, on all cores. */
  //: return 0;
  /* reduction(+) gives each thread a sum of its own, starting from 0, and adds them up at the end. */
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += x[i];
  return sum;
  // #endregion task-4
}

// #region task-further
//: /* TODO go further: a tile of c whose elements stay in registers while p runs from 0 to k - 1. */
/*
 * What changed from matmul_row: a tile of 6 x 32 elements of c stays in registers until it is finished. Why
 * it should help: matmul_row loads a b and loads and stores a c for every multiplication; here a row of the
 * tile is never stored before the end, and each b that is loaded serves 6 rows. What remains slow: for large
 * matrices b no longer fits the cache, and copying it into tile order first would help then. Measured at
 * 480 x 480 x 480 on the 16 cores of an H200's host (results/2026-11-21-nvidia-h200): 1.72 times as fast.
 */
enum { TILE_ROWS = 6, TILE_COLUMNS = 32 };

static void matmul_tile(const float *a, const float *b, float *c, int i, int j, int n, int k) {
  float tile[TILE_ROWS][TILE_COLUMNS] = {{0}};
  for (int p = 0; p < k; p++) {
    const float *b_row = b + (size_t)p * n + j;
    for (int r = 0; r < TILE_ROWS; r++) {
      const float factor = a[(size_t)(i + r) * k + p];
#pragma omp simd
      for (int q = 0; q < TILE_COLUMNS; q++) tile[r][q] += factor * b_row[q];
    }
  }
  for (int r = 0; r < TILE_ROWS; r++)
    for (int q = 0; q < TILE_COLUMNS; q++) c[(size_t)(i + r) * n + j + q] = tile[r][q];
}

/* The rest at the right and the lower edge: rows [i, i_end), columns [j, j_end). */
static void matmul_edge(const float *a, const float *b, float *c, int i, int i_end, int j, int j_end, int n,
                        int k) {
  for (; i < i_end; i++) {
    float *row = c + (size_t)i * n;
    for (int q = j; q < j_end; q++) row[q] = 0;
    for (int p = 0; p < k; p++)
      for (int q = j; q < j_end; q++) row[q] += a[(size_t)i * k + p] * b[(size_t)p * n + q];
  }
}
// #endregion task-further

void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  // #region task-further
  //: /* TODO go further: tile after tile, on all cores; m and n need not be multiples of the tile. */
  const int whole_columns = n / TILE_COLUMNS * TILE_COLUMNS;
#pragma omp parallel for
  for (int i = 0; i < m; i += TILE_ROWS) {
    if (m - i < TILE_ROWS) {
      matmul_edge(a, b, c, i, m, 0, n, n, k);
    } else {
      for (int j = 0; j < whole_columns; j += TILE_COLUMNS) matmul_tile(a, b, c, i, j, n, k);
      matmul_edge(a, b, c, i, i + TILE_ROWS, whole_columns, n, n, k);
    }
  }
  // #endregion task-further
}
