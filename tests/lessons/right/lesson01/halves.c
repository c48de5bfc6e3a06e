/*
 * Right: divide and conquer. Tasks split a range in two until it is short, and wait for their children;
 * sections do the two halves; the sum is pairwise; a named critical region; plain loops at the leaves.
 */
#include "loops.h"

#include <stddef.h>

void saxpy(float a, const float *x, float *y, int n) {
  if (n > 4096) {
    saxpy(a, x, y, n / 2);
    saxpy(a, x + n / 2, y + n / 2, n - n / 2);
    return;
  }
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}

static void leaf(const float *a, const float *b, float *c, int m, int n, int k) {
  for (size_t e = 0; e < (size_t)m * n; e++) c[e] = 0;
  for (int i = 0; i < m; i++)
    for (int p = 0; p < k; p++)
      for (int j = 0; j < n; j++) c[(size_t)i * n + j] += a[(size_t)i * k + p] * b[(size_t)p * n + j];
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  if (m <= 8) return leaf(a, b, c, m, n, k);
  const int half = m / 2;
  matmul(a, b, c, half, n, k);
  matmul(a + (size_t)half * k, b, c + (size_t)half * n, m - half, n, k);
}

static void matmul_tasks(const float *a, const float *b, float *c, int m, int n, int k) {
  if (m <= 8) return leaf(a, b, c, m, n, k);
  const int half = m / 2;
#pragma omp task
  matmul_tasks(a, b, c, half, n, k);
#pragma omp task
  matmul_tasks(a + (size_t)half * k, b, c + (size_t)half * n, m - half, n, k);
#pragma omp taskwait
}

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
#pragma omp parallel
#pragma omp single
  matmul_tasks(a, b, c, m, n, k);
}

static double sum_tasks(const float *x, int n) {
  double left = 0, right = 0;
  if (n <= 20000) {
    for (int i = 0; i < n; i++) left += x[i];
    return left;
  }
#pragma omp task shared(left)
  left = sum_tasks(x, n / 2);
  right = sum_tasks(x + n / 2, n - n / 2);
#pragma omp taskwait
  return left + right;
}

double sum_parallel(const float *x, int n) {
  double sum = 0;
#pragma omp parallel
#pragma omp master
  sum = sum_tasks(x, n);
  return sum;
}

/* Tiles of 4 x 32 where they fit, both loops shared out together; the rest by the plain loop. */
void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  enum { R = 4, C = 32 };
  const int rows = (m + R - 1) / R, columns = (n + C - 1) / C;
#pragma omp parallel for collapse(2)
  for (int u = 0; u < rows; u++)
    for (int v = 0; v < columns; v++) {
      const int i = u * R, j = v * C, height = m - i < R ? m - i : R, width = n - j < C ? n - j : C;
      float tile[R][C] = {{0}};
      if (height == R && width == C) {
        for (int p = 0; p < k; p++)
          for (int r = 0; r < R; r++)
#pragma omp simd
            for (int q = 0; q < C; q++) tile[r][q] += a[(size_t)(i + r) * k + p] * b[(size_t)p * n + j + q];
      } else {
        for (int p = 0; p < k; p++)
          for (int r = 0; r < height; r++)
            for (int q = 0; q < width; q++)
              tile[r][q] += a[(size_t)(i + r) * k + p] * b[(size_t)p * n + j + q];
      }
      for (int r = 0; r < height; r++)
        for (int q = 0; q < width; q++) c[(size_t)(i + r) * n + j + q] = tile[r][q];
    }
}
