/*
 * Right: each thread works out its own share; loop variables declared as in C89, but private; critical,
 * atomic and a lock where threads add up; a fused multiply-add by name; the last rows done by one thread
 * after a barrier.
 */
#include "loops.h"

#include <math.h>
#include <omp.h>

void saxpy(float a, const float *x, float *y, int n) {
#pragma omp parallel
  {
    const long long threads = omp_get_num_threads(), me = omp_get_thread_num();
    const int first = (int)(n * me / threads), last = (int)(n * (me + 1) / threads);
    for (int i = first; i < last; i++) y[i] = fmaf(a, x[i], y[i]);
  }
}

static void rows(const float *a, const float *b, float *c, int first, int last, int n, int k) {
  int i, j, p;
  for (i = first; i < last; i++) {
    for (j = 0; j < n; j++) c[i * n + j] = 0;
    for (p = k - 1; p >= 0; p--)
      for (j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
  }
}

void matmul(const float *a, const float *b, float *c, int m, int n, int k) { rows(a, b, c, 0, m, n, k); }

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
  int i, j, p, done = 0;
#pragma omp parallel private(i, j, p)
  {
#pragma omp for
    for (i = 0; i < m; i++) {
      for (j = 0; j < n; j++) c[i * n + j] = 0;
      for (p = 0; p < k; p++)
        for (j = 0; j < n; j++) c[i * n + j] += a[i * k + p] * b[p * n + j];
#pragma omp atomic
      done++;
    }
#pragma omp single
    if (done != m) c[0] = NAN;
  }
}

double sum_parallel(const float *x, int n) {
  double sum = 0, rest = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel
  {
    double even = 0, odd = 0;
#pragma omp for nowait
    for (int i = 0; i < n / 2; i++) {
      even += x[2 * i];
      odd += x[2 * i + 1];
    }
#pragma omp critical
    sum += even;
    omp_set_lock(&lock);
    rest += odd;
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  return sum + rest + (n % 2 ? x[n - 1] : 0);
}

/* Four rows at a time, as long as there are four; the others by one thread. */
void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  const int fours = m / 4;
#pragma omp parallel
  {
#pragma omp for schedule(static, 2) nowait
    for (int f = 0; f < fours; f++) {
      for (int j = 0; j < n; j += 32) {
        const int width = n - j < 32 ? n - j : 32;
        float tile[4][32] = {{0}};
        if (width == 32) {
          for (int p = 0; p < k; p++)
            for (int r = 0; r < 4; r++)
#pragma omp simd
              for (int q = 0; q < 32; q++) tile[r][q] += a[(4 * f + r) * k + p] * b[p * n + j + q];
        } else {
          for (int p = 0; p < k; p++)
            for (int r = 0; r < 4; r++)
              for (int q = 0; q < width; q++) tile[r][q] += a[(4 * f + r) * k + p] * b[p * n + j + q];
        }
        for (int r = 0; r < 4; r++)
          for (int q = 0; q < width; q++) c[(4 * f + r) * n + j + q] = tile[r][q];
      }
    }
#pragma omp barrier
#pragma omp single
    rows(a, b, c, 4 * fours, m, n, k);
  }
}
