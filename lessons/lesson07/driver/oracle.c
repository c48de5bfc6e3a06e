/*
 * oracle.c: see oracle.h. At the size that is timed the harness verifies 4096 x 4096 elements, each a sum of
 * 4096 terms. Reading B column by column would take minutes, because the neighbours in a column are 16 KB
 * apart. So if a caller asks for elements in turn, this file keeps B transposed (again for each new content), and
 * computes ROWS rows at once, so that B is read from memory once for all of them. For a few elements here and there
 * that would take longer than to read their columns.
 */
#include "oracle.h"
#include "baselines.h"
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define SIMD   8    /* partial sums next to each other, which the compiler keeps in a SIMD register */
#define BLOCK  32   /* transposed at a time, so that both sides stay in the cache */
#define ROWS   4    /* of the result, computed at once */
#define WIDEST 4096 /* results with at most this many columns are blocked */

/* Identifies the content of the arrays: the harness draws a case's factors and its arrays from the same
 * key. */
typedef struct content {
  double factor;
  wb_size size;
} content;

/* Everything that is computed from a content, and kept until the next one. */
typedef struct prepared {
  content of;
  float *columns;       /* n x k: B's columns as rows */
  double *row, *column; /* lengths of A's m rows and of B's n columns */
} prepared;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static prepared ready;

static bool same(const content *x, const content *y) {
  return x->factor == y->factor && memcmp(&x->size, &y->size, sizeof x->size) == 0;
}

static void transpose(const float *b, float *columns, size_t n, size_t k) {
  for (size_t p0 = 0; p0 < k; p0 += BLOCK)
    for (size_t j0 = 0; j0 < n; j0 += BLOCK)
      for (size_t j = j0; j < j0 + BLOCK && j < n; j++)
        for (size_t p = p0; p < p0 + BLOCK && p < k; p++) columns[j * k + p] = b[p * n + j];
}

static double length(const float *v, size_t k) {
  double sum[SIMD] = {0}, all = 0;
  size_t p = 0;
  for (; p + SIMD <= k; p += SIMD)
    for (size_t s = 0; s < SIMD; s++) sum[s] += (double)v[p + s] * v[p + s];
  for (; p < k; p++) all += (double)v[p] * v[p];
  for (size_t s = 0; s < SIMD; s++) all += sum[s];
  return sqrt(all);
}

static void prepare(const wb_case *c, size_t m, size_t n, size_t k) {
  free(ready.columns);
  free(ready.row);
  ready.columns = malloc((n * k + 1) * sizeof(float));
  ready.row = malloc((m + n + 1) * sizeof(double));
  if (!ready.columns || !ready.row) abort(); /* the harness holds three matrices of that size already */
  ready.column = ready.row + m;
  transpose(wb_f32(c, D_B), ready.columns, n, k);
  for (size_t i = 0; i < m; i++) ready.row[i] = length(wb_f32(c, D_A) + i * k, k);
  for (size_t j = 0; j < n; j++) ready.column[j] = length(ready.columns + j * k, k);
}

/* Each thread takes the lock only once for a content. */
static const prepared *prepared_for(const wb_case *c, size_t m, size_t n, size_t k) {
  static _Thread_local prepared seen;
  const content now = {c->param[0], c->size};
  if (seen.columns && same(&seen.of, &now)) return &seen;
  pthread_mutex_lock(&lock);
  if (!ready.columns || !same(&ready.of, &now)) {
    prepare(c, m, n, k);
    ready.of = now;
  }
  seen = ready;
  pthread_mutex_unlock(&lock);
  return &seen;
}

/* The products of `rows` rows of A, at most ROWS, and one column of B. */
static inline void products(const float *a, size_t rows, const float *b, size_t k, double *to, size_t apart) {
  double sum[ROWS][SIMD] = {{0}};
  size_t p = 0;
  for (; p + SIMD <= k; p += SIMD)
    for (size_t r = 0; r < rows; r++)
      for (size_t s = 0; s < SIMD; s++)
        sum[r][s] += (double)a[r * k + p + s] * b[p + s]; /* the product is exact */
  for (; p < k; p++)
    for (size_t r = 0; r < rows; r++) sum[r][0] += (double)a[r * k + p] * b[p];
  for (size_t r = 0; r < rows; r++) {
    to[r * apart] = 0;
    for (size_t s = 0; s < SIMD; s++) to[r * apart] += sum[r][s];
  }
}

/* Element (row, col), taken from the ROWS rows around it. The first request of one of these rows computes all
 * of them. */
static double from_rows(const prepared *p, const wb_case *c, size_t m, size_t n, size_t k, size_t row,
                        size_t col) {
  static _Thread_local struct {
    content of;
    size_t first, rows;
    double sum[ROWS][WIDEST];
  } kept;
  if (row < kept.first || row >= kept.first + kept.rows || !same(&kept.of, &p->of)) {
    kept.of = p->of;
    kept.first = row;
    kept.rows = m - row < ROWS ? m - row : ROWS;
    const float *a = wb_f32(c, D_A) + row * k;
    for (size_t j = 0; j < n; j++)
      if (kept.rows == ROWS)
        products(a, ROWS, p->columns + j * k, k, &kept.sum[0][j], WIDEST); /* unrolled */
      else
        products(a, kept.rows, p->columns + j * k, k, &kept.sum[0][j], WIDEST);
  }
  return kept.sum[row - kept.first][col];
}

static oracle_sum by_column(const wb_case *c, size_t n, size_t k, size_t row, size_t col) {
  const float *a = wb_f32(c, D_A) + row * k, *b = wb_f32(c, D_B) + col;
  double sum = 0, row_squares = 0, column_squares = 0;
  for (size_t p = 0; p < k; p++) {
    sum += (double)a[p] * b[p * n];
    row_squares += (double)a[p] * a[p];
    column_squares += (double)b[p * n] * b[p * n];
  }
  return (oracle_sum){sum, sqrt(row_squares) * sqrt(column_squares)};
}

oracle_sum oracle_element(const wb_case *c, size_t m, size_t n, size_t k, size_t i) {
  static _Thread_local size_t last;
  const bool in_turn = i == last + 1;
  const size_t row = i / n, col = i % n;
  double sum;
  last = i;
  if (!in_turn) return by_column(c, n, k, row, col);
  const prepared *p = prepared_for(c, m, n, k);
  if (n <= WIDEST)
    sum = from_rows(p, c, m, n, k, row, col);
  else
    products(wb_f32(c, D_A) + row * k, 1, p->columns + col * k, k, &sum, 1);
  return (oracle_sum){sum, p->row[row] * p->column[col]};
}
