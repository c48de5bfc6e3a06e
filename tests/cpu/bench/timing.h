/* The clock of the benchmark: shortest and median time of some
   runs, after one that warms up. For C and C++. */
#ifndef TIMING_H
#define TIMING_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define VECTOR 10000000
#define SIDE   512
#define RUNS   7

static inline double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Prints "NAME MEDIAN SHORTEST" in milliseconds. */
static inline void measure(const char *name, void (*work)(void)) {
  double ms[RUNS];
  work();
  for (int r = 0; r < RUNS; r++) {
    const double start = now_ms();
    work();
    ms[r] = now_ms() - start;
  }
  qsort(ms, RUNS, sizeof *ms, ascending);
  printf("%s %.1f %.1f\n", name, ms[RUNS / 2], ms[0]);
}

/* Inputs that are not alike at any two places of a row or column, and the check of one result. */
static inline float input(int i) { return (float)(i % 1021) * 0.25f; }

static inline void check_product(const float *a, const float *b, const float *c) {
  for (int k = 0; k < 100; k++) {
    const int row = (k * 37) % SIDE, column = (k * 101) % SIDE;
    double want = 0.0;
    for (int i = 0; i < SIDE; i++) want += (double)a[row * SIDE + i] * b[i * SIDE + column];
    const double got = c[row * SIDE + column];
    if (!(got > want * 0.9999 && got < want * 1.0001)) {
      fprintf(stderr, "product[%d][%d] is %g, not %g\n", row, column, got, want);
      exit(1);
    }
  }
}

#endif
