/* The baselines of lesson01: baselines.h says what each does. They show most of the answers, so look here
 * last. */
#include "baselines.h"

#include <stddef.h>
#include <string.h>

void baseline_saxpy(float a, const float *x, float *y, int n) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

void baseline_saxpy_all_cores(float a, const float *x, float *y, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

/*
 * The sum goes through one variable, in the order of p. Without -ffast-math a compiler may not reorder float
 * additions, so gcc -O3 leaves these loops as they are: no vectors, no exchange of loops (seen in the
 * assembly of gcc 12: one vfmadd231ss an iteration).
 */
void baseline_matmul_naive(const float *a, const float *b, float *c, int m, int n, int k) {
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += a[(size_t)i * k + p] * b[(size_t)p * n + j];
      c[(size_t)i * n + j] = sum;
    }
  }
}

static inline void add_scaled(float *y, float scale, const float *x, int n) {
  for (int i = 0; i < n; i++) y[i] += scale * x[i];
}

static void row_of_product(const float *a, const float *b, float *c, int i, int n, int k) {
  float *const product = c + (size_t)i * n;
  memset(product, 0, n * sizeof *product);
  for (int p = 0; p < k; p++) add_scaled(product, a[(size_t)i * k + p], b + (size_t)p * n, n);
}

void baseline_matmul_one_core(const float *a, const float *b, float *c, int m, int n, int k) {
  for (int i = 0; i < m; i++) row_of_product(a, b, c, i, n, k);
}

void baseline_matmul_all_cores(const float *a, const float *b, float *c, int m, int n, int k) {
#pragma omp parallel for
  for (int i = 0; i < m; i++) row_of_product(a, b, c, i, n, k);
}

double baseline_sum_one_core(const float *x, int n) {
  double total = 0;
  for (int i = 0; i < n; i++) total += x[i];
  return total;
}

double baseline_sum_all_cores(const float *x, int n) {
  double total = 0;
#pragma omp parallel for reduction(+ : total)
  for (int i = 0; i < n; i++) total += x[i];
  return total;
}
