/*
 * oracle.c: see oracle.h. At the size that is timed the harness verifies 4096 x 4096 elements, each a sum of
 * 4096 terms. Column by column out of B that would take minutes: a column's neighbours lie 16 KB apart. So B
 * is kept transposed, made anew for each new content, and an element is a product of two rows. And whoever
 * asks for all elements in turn gets ROWS rows worked out at once, so that B comes from memory once for them.
 */
#include "oracle.h"
#include "baselines.h"
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LANES  8    /* partial sums beside each other: the compiler makes vectors of them */
#define BLOCK  32   /* transposed at a time, so that both sides stay in the cache */
#define ROWS   4    /* of the result, worked out at once */
#define WIDEST 4096 /* columns of the result of which that is done */

/* Which content: the harness draws a case's factors and its arrays from the same key. */
typedef struct content {
  double factor;
  wb_size size;
} content;

/* What is made of a content, and kept until there is another one. */
typedef struct prepared {
  content of;
  float *columns;       /* m x k: B's columns as rows */
  double *row, *column; /* lengths of A's n rows and of B's m columns */
} prepared;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static prepared ready;

static bool same(const content *x, const content *y) {
  return x->factor == y->factor && memcmp(&x->size, &y->size, sizeof x->size) == 0;
}

static void transpose(const float *b, float *columns, size_t m, size_t k) {
  for (size_t l0 = 0; l0 < k; l0 += BLOCK)
    for (size_t j0 = 0; j0 < m; j0 += BLOCK)
      for (size_t j = j0; j < j0 + BLOCK && j < m; j++)
        for (size_t l = l0; l < l0 + BLOCK && l < k; l++) columns[j * k + l] = b[l * m + j];
}

static double length(const float *v, size_t k) {
  double sum[LANES] = {0}, all = 0;
  size_t l = 0;
  for (; l + LANES <= k; l += LANES)
    for (size_t lane = 0; lane < LANES; lane++) sum[lane] += (double)v[l + lane] * v[l + lane];
  for (; l < k; l++) all += (double)v[l] * v[l];
  for (size_t lane = 0; lane < LANES; lane++) all += sum[lane];
  return sqrt(all);
}

static void prepare(const wb_case *c, size_t n, size_t m, size_t k) {
  free(ready.columns);
  free(ready.row);
  ready.columns = malloc((m * k + 1) * sizeof(float));
  ready.row = malloc((n + m + 1) * sizeof(double));
  if (!ready.columns || !ready.row) abort(); /* the harness holds three matrices of that size already */
  ready.column = ready.row + n;
  transpose(wb_f32(c, D_B), ready.columns, m, k);
  for (size_t i = 0; i < n; i++) ready.row[i] = length(wb_f32(c, D_A) + i * k, k);
  for (size_t j = 0; j < m; j++) ready.column[j] = length(ready.columns + j * k, k);
}

/* Each thread asks for the lock only once for a content. */
static const prepared *prepared_for(const wb_case *c, size_t n, size_t m, size_t k) {
  static _Thread_local prepared seen;
  const content now = {c->param[0], c->size};
  if (seen.columns && same(&seen.of, &now)) return &seen;
  pthread_mutex_lock(&lock);
  if (!ready.columns || !same(&ready.of, &now)) {
    prepare(c, n, m, k);
    ready.of = now;
  }
  seen = ready;
  pthread_mutex_unlock(&lock);
  return &seen;
}

/* The products of `rows` rows of A, at most ROWS, and one column of B. */
static inline void products(const float *a, size_t rows, const float *b, size_t k, double *to, size_t apart) {
  double sum[ROWS][LANES] = {{0}};
  size_t l = 0;
  for (; l + LANES <= k; l += LANES)
    for (size_t r = 0; r < rows; r++)
      for (size_t lane = 0; lane < LANES; lane++)
        sum[r][lane] += (double)a[r * k + l + lane] * b[l + lane]; /* the product is exact */
  for (; l < k; l++)
    for (size_t r = 0; r < rows; r++) sum[r][0] += (double)a[r * k + l] * b[l];
  for (size_t r = 0; r < rows; r++) {
    to[r * apart] = 0;
    for (size_t lane = 0; lane < LANES; lane++) to[r * apart] += sum[r][lane];
  }
}

/* Element (row, col) out of the ROWS rows around it, which are worked out when the first of them is asked
 * for. */
static double from_rows(const prepared *p, const wb_case *c, size_t n, size_t m, size_t k, size_t row,
                        size_t col) {
  static _Thread_local struct {
    content of;
    size_t first, rows;
    double sum[ROWS][WIDEST];
  } kept;
  if (row < kept.first || row >= kept.first + kept.rows || !same(&kept.of, &p->of)) {
    kept.of = p->of;
    kept.first = row;
    kept.rows = n - row < ROWS ? n - row : ROWS;
    const float *a = wb_f32(c, D_A) + row * k;
    for (size_t j = 0; j < m; j++)
      if (kept.rows == ROWS)
        products(a, ROWS, p->columns + j * k, k, &kept.sum[0][j], WIDEST); /* unrolled */
      else
        products(a, kept.rows, p->columns + j * k, k, &kept.sum[0][j], WIDEST);
  }
  return kept.sum[row - kept.first][col];
}

oracle_sum oracle_element(const wb_case *c, size_t n, size_t m, size_t k, size_t i) {
  static _Thread_local size_t last;
  const bool in_turn = i == last + 1;
  const prepared *p = prepared_for(c, n, m, k);
  const size_t row = i / m, col = i % m;
  double sum;
  last = i;
  if (in_turn && m <= WIDEST)
    sum = from_rows(p, c, n, m, k, row, col);
  else
    products(wb_f32(c, D_A) + row * k, 1, p->columns + col * k, k, &sum, 1);
  return (oracle_sum){sum, p->row[row] * p->column[col]};
}
