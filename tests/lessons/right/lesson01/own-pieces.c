/*
 * Right: OpenMP only starts the threads, one more than there are cores. They take pieces of work from an
 * atomic counter; a lock guards the sum.
 */
#include "loops.h"

#include <omp.h>
#include <stdatomic.h>
#include <stddef.h>

/* What the threads of one call share: piece after piece, in whatever order. */
typedef struct crew {
  void (*work)(struct crew *crew, int piece);
  int pieces;
  atomic_int next;
  const float *a, *b;
  float *c;
  int m, n, k;
  omp_lock_t lock;
  double sum;
} crew;

static void run(crew *own) {
#pragma omp parallel num_threads(omp_get_num_procs() + 1)
  for (int piece; (piece = atomic_fetch_add(&own->next, 1)) < own->pieces;) own->work(own, piece);
}

void saxpy(float a, const float *x, float *y, int n) {
  for (const float *end = x + n; x != end;) {
    const float product = a * *x++;
    *y++ += product;
  }
}

static void row(crew *own, int i) {
  const int n = own->n, k = own->k;
  const float *from = own->a + (size_t)i * k;
  float *to = own->c + (size_t)i * n;
  for (int j = 0; j < n; j++) to[j] = 0;
  for (int p = 0; p < k; p++)
    for (int j = 0; j < n; j++) to[j] += from[p] * own->b[(size_t)p * n + j];
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  crew alone = {.a = a, .b = b, .c = c, .n = n, .k = k};
  for (int i = m - 1; i >= 0; i--) row(&alone, i);
}

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
  crew own = {.work = row, .pieces = m, .a = a, .b = b, .c = c, .m = m, .n = n, .k = k};
  run(&own);
}

enum { STRETCH = 1 << 16 };

static void stretch(crew *own, int piece) {
  const int first = piece * STRETCH, last = own->n - first < STRETCH ? own->n : first + STRETCH;
  double sum = 0;
  for (int i = first; i < last; i++) sum += own->a[i];
  omp_set_lock(&own->lock);
  own->sum += sum;
  omp_unset_lock(&own->lock);
}

double sum_parallel(const float *x, int n) {
  crew own = {.work = stretch, .pieces = n / STRETCH + 1, .a = x, .n = n};
  omp_init_lock(&own.lock);
  run(&own);
  omp_destroy_lock(&own.lock);
  return own.sum;
}

enum { ROWS = 8, COLUMNS = 32 };

/* Tiles are numbered along the rows. The last ones of a row and of a column are smaller. */
static void tile(crew *own, int piece) {
  const int n = own->n, k = own->k, across = (n + COLUMNS - 1) / COLUMNS;
  const int i = piece / across * ROWS, j = piece % across * COLUMNS;
  const int height = own->m - i < ROWS ? own->m - i : ROWS, width = n - j < COLUMNS ? n - j : COLUMNS;
  float sums[ROWS][COLUMNS] = {{0}};
  for (int p = 0; p < k; p++)
    for (int r = 0; r < height; r++) {
      const float factor = own->a[(size_t)(i + r) * k + p], *b = own->b + (size_t)p * n + j;
      if (width == COLUMNS)
        for (int q = 0; q < COLUMNS; q++) sums[r][q] += factor * b[q];
      else
        for (int q = 0; q < width; q++) sums[r][q] += factor * b[q];
    }
  for (int r = 0; r < height; r++)
    for (int q = 0; q < width; q++) own->c[(size_t)(i + r) * n + j + q] = sums[r][q];
}

void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  const int pieces = (m + ROWS - 1) / ROWS * ((n + COLUMNS - 1) / COLUMNS);
  crew own = {.work = tile, .pieces = pieces, .a = a, .b = b, .c = c, .m = m, .n = n, .k = k};
  run(&own);
}
