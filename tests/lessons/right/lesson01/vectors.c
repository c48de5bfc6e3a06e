/*
 * Right: the compiler's vector types instead of loops over elements, which need not be aligned; b turned on
 * its side, so that p may run innermost; a reduction of the program's own, with compensation; p cut into
 * slices.
 */
#include "loops.h"

#include <stdlib.h>
#include <string.h>

enum { SIMD = 8 };
typedef float vector __attribute__((vector_size(SIMD * sizeof(float)), aligned(sizeof(float)), may_alias));

#define AT(place) (*(vector *)(place))

void saxpy(float a, const float *x, float *y, int n) {
  int i = n;
  while (i >= SIMD) {
    i -= SIMD;
    AT(y + i) += a * AT(x + i);
  }
  while (i-- > 0) y[i] += x[i] * a;
}

static float dot(const float *x, const float *y, int k) {
  vector sums[2] = {{0}, {0}};
  float sum = 0;
  int p = 0;
  for (; k - p >= 2 * SIMD; p += 2 * SIMD) {
    sums[0] += AT(x + p) * AT(y + p);
    sums[1] += AT(x + p + SIMD) * AT(y + p + SIMD);
  }
  sums[0] += sums[1];
  for (int s = 0; s < SIMD; s++) sum += sums[0][s];
  for (; p < k; p++) sum += x[p] * y[p];
  return sum;
}

/* Column j of b, in memory of its own, meets every row of a. */
static void column(const float *a, const float *b, float *c, int j, int m, int n, int k, float *turned) {
  for (int p = 0; p < k; p++) turned[p] = b[(size_t)p * n + j];
  for (int i = 0; i < m; i++) c[(size_t)i * n + j] = dot(a + (size_t)i * k, turned, k);
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  float turned[k + 1];
  for (int j = n; j-- > 0;) column(a, b, c, j, m, n, k, turned);
}

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
#pragma omp parallel
  {
    float *turned = malloc(sizeof(float) * ((size_t)k + 1));
#pragma omp for schedule(dynamic, 16)
    for (int j = 0; j < n; j++) column(a, b, c, j, m, n, k, turned);
    free(turned);
  }
}

typedef struct total {
  double sum, lost; /* what additions to the sum have rounded away */
} total;

static total plus(total t, double x) {
  const double sum = t.sum + x, kept = sum - t.sum;
  return (total){sum, t.lost + (x - kept)};
}

#pragma omp declare reduction(merge:total                                                                    \
                              : omp_out = plus(plus(omp_out, omp_in.sum), omp_in.lost))                      \
    initializer(omp_priv = (total){0, 0})

double sum_parallel(const float *x, int n) {
  total t = {0, 0};
#pragma omp parallel for reduction(merge : t)
  for (int i = 0; i < n; i++) t = plus(t, x[i]);
  return t.sum + t.lost;
}

/* A tile of 4 rows and 4 vectors stays in registers for a slice of 128 terms, then is added to c. */
static void tile(const float *a, const float *b, float *c, int i, int j, int p, int p_end, int n, int k) {
  vector t[4][4] = {{{0}}};
  for (; p < p_end; p++)
    for (int r = 0; r < 4; r++)
      for (int v = 0; v < 4; v++)
        t[r][v] += a[(size_t)(i + r) * k + p] * AT(b + (size_t)p * n + j + v * SIMD);
  for (int r = 0; r < 4; r++)
    for (int v = 0; v < 4; v++) {
      float *to = c + (size_t)(i + r) * n + j + v * SIMD;
      AT(to) += t[r][v];
    }
}

static void slice(const float *a, const float *b, float *c, int i, int p, int p_end, int n, int k) {
  int j = 0;
  for (; j + 4 * SIMD <= n; j += 4 * SIMD) tile(a, b, c, i, j, p, p_end, n, k);
  for (int r = i; r < i + 4; r++)
    for (int q = p; q < p_end; q++)
      for (int e = j; e < n; e++) c[(size_t)r * n + e] += a[(size_t)r * k + q] * b[(size_t)q * n + e];
}

void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < m; i += 4) {
    const int rows = m - i < 4 ? m - i : 4;
    memset(c + (size_t)i * n, 0, sizeof(float) * (size_t)rows * (size_t)n);
    for (int p = 0; p < k; p += 128) {
      const int p_end = k - p < 128 ? k : p + 128;
      if (rows == 4)
        slice(a, b, c, i, p, p_end, n, k);
      else
        for (int r = i; r < m; r++)
          for (int q = p; q < p_end; q++)
            for (int e = 0; e < n; e++) c[(size_t)r * n + e] += a[(size_t)r * k + q] * b[(size_t)q * n + e];
    }
  }
}
