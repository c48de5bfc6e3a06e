/*
 * oracle.c: see oracle.h. At the size that is timed the harness verifies 4096 x 4096 elements, each a sum of
 * 4096 terms. Reading a column of B takes long, because its neighbours are 16 KB apart. So if a thread asks
 * for the elements of a large product in turn, ROWS rows of C are computed at once, WIDTH columns at a time:
 * B is then read by rows, once for all of them.
 */
#include "oracle.h"
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define ROWS   8
#define WIDTH  64    /* so that the sums stay in the cache next to the processor */
#define WIDEST 4096  /* results with at most this many columns are kept by rows */
#define LARGE  (1e7) /* multiply-adds of a product */

typedef struct rows_of_c {
  oracle_product of;
  size_t first, rows;
  oracle_sum at[ROWS][WIDEST];
} rows_of_c;

oracle_sum oracle_zeroed(const oracle_product *p, size_t row, size_t column, const wb_window *zeros,
                         double off, double *open) {
  const float *a = p->a + row * p->lda, *b = p->b + column;
  oracle_sum s = {0, 0};
  *open = 0;
  for (size_t t = 0; t < p->k; t++) {
    const double x = a[t], y = b[t * p->ldb], size = fabs(x * y);
    const double share = fmin(wb_share(zeros, x, off * fabs(x)), wb_share(zeros, y, off * fabs(y)));
    s.sum += share * x * y;
    s.magnitude += size;
    *open += (share == 0.5 ? 0.5 : 0) * size + 2 * off * size;
  }
  return s;
}

static oracle_sum by_column(const oracle_product *p, size_t row, size_t column) {
  const float *a = p->a + row * p->lda, *b = p->b + column;
  oracle_sum s = {0, 0};
  for (size_t t = 0; t < p->k; t++) {
    const double product = (double)a[t] * b[t * p->ldb]; /* exact */
    s.sum += product;
    s.magnitude += fabs(product);
  }
  return s;
}

/* Columns first ... first + width - 1 of the kept rows. */
static void fill_columns(rows_of_c *kept, size_t first, size_t width) {
  const oracle_product *p = &kept->of;
  double sum[ROWS][WIDTH] = {{0}}, magnitude[ROWS][WIDTH] = {{0}};
  for (size_t t = 0; t < p->k; t++) {
    const float *row = p->b + t * p->ldb + first;
    double b[WIDTH] = {0};
    for (size_t j = 0; j < width; j++) b[j] = row[j];
    for (size_t r = 0; r < kept->rows; r++) {
      const double a = p->a[(kept->first + r) * p->lda + t];
      for (size_t j = 0; j < WIDTH; j++) {
        sum[r][j] += a * b[j];
        magnitude[r][j] += fabs(a * b[j]);
      }
    }
  }
  for (size_t r = 0; r < kept->rows; r++)
    for (size_t j = 0; j < width; j++) kept->at[r][first + j] = (oracle_sum){sum[r][j], magnitude[r][j]};
}

static bool same(const oracle_product *x, const oracle_product *y) {
  return x->content == y->content && x->a == y->a && x->b == y->b && x->m == y->m && x->n == y->n &&
         x->k == y->k && x->lda == y->lda && x->ldb == y->ldb;
}

oracle_sum oracle_element(const oracle_product *p, size_t row, size_t column) {
  static _Thread_local rows_of_c kept;
  static _Thread_local size_t last;
  const bool in_turn = row * p->n + column == last + 1;
  last = row * p->n + column;
  if (!in_turn || p->n > WIDEST || (double)p->m * (double)p->n * (double)p->k < LARGE)
    return by_column(p, row, column);
  if (row < kept.first || row >= kept.first + kept.rows || !same(&kept.of, p)) {
    kept.of = *p;
    kept.first = row;
    kept.rows = p->m - row < ROWS ? p->m - row : ROWS;
    for (size_t j = 0; j < p->n; j += WIDTH) fill_columns(&kept, j, p->n - j < WIDTH ? p->n - j : WIDTH);
  }
  return kept.at[row - kept.first][column];
}
