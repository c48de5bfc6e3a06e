/*
 * Right: moving pointers instead of indices; restrict, memset, an unrolled loop with a remainder, p
 * outermost; schedule(dynamic); partial sums in an array, added up by one thread; a matrix product over
 * packed columns.
 */
#include "loops.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void saxpy(float a, const float *restrict x, float *restrict y, int n) {
  const float *end = x + n;
  for (; end - x >= 4; x += 4, y += 4) {
    y[0] += a * x[0];
    y[1] += a * x[1];
    y[2] += a * x[2];
    y[3] += a * x[3];
  }
  while (x < end) *y++ += a * *x++;
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  memset(c, 0, sizeof(float) * (size_t)m * (size_t)n);
  for (int p = 0; p < k; p++)
    for (int i = 0; i < m; i++) {
      const float *from = b + (size_t)p * n;
      for (float *to = c + (size_t)i * n, *end = to + n; to < end;) *to++ += a[(size_t)i * k + p] * *from++;
    }
}

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < m; i++) {
    float *row = memset(c + (size_t)i * n, 0, sizeof(float) * (size_t)n);
    for (int p = 0; p < k; p++)
      for (int j = 0; j < n; j++) row[j] += a[(size_t)i * k + p] * b[(size_t)p * n + j];
  }
}

double sum_parallel(const float *x, int n) {
  double *part = calloc((size_t)omp_get_max_threads() * 8, sizeof *part); /* 64 bytes apart */
  double sum = 0;
#pragma omp parallel
  {
    double own = 0;
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < n; i++) own += x[i];
    part[omp_get_thread_num() * 8] = own;
#pragma omp barrier
#pragma omp single
    for (int t = 0; t < omp_get_num_threads(); t++) sum += part[t * 8];
  }
  free(part);
  return sum;
}

/* Strips of 32 columns of b, packed one after another; each thread takes strips and all rows. */
void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  enum { STRIP = 32, ROWS = 6 };
#pragma omp parallel
  {
    float *packed = malloc(sizeof(float) * STRIP * (size_t)(k ? k : 1));
#pragma omp for
    for (int j = 0; j < n; j += STRIP) {
      const int width = n - j < STRIP ? n - j : STRIP;
      for (int p = 0; p < k; p++)
        for (int q = 0; q < STRIP; q++) packed[p * STRIP + q] = q < width ? b[(size_t)p * n + j + q] : 0;
      for (int i = 0; i < m; i += ROWS) {
        const int height = m - i < ROWS ? m - i : ROWS;
        float sum[ROWS][STRIP] = {{0}};
        for (int p = 0; p < k; p++)
          for (int r = 0; r < ROWS; r++) {
            const float factor = a[(size_t)(r < height ? i + r : i) * k + p];
#pragma omp simd
            for (int q = 0; q < STRIP; q++) sum[r][q] += factor * packed[p * STRIP + q];
          }
        for (int r = 0; r < height; r++)
          memcpy(c + (size_t)(i + r) * n + j, sum[r], sizeof(float) * (size_t)width);
      }
    }
    free(packed);
  }
}
