/* The same work as plain loops, for all cores: what a C programmer would write first, and tiled. */
#include "timing.h"

#include <string.h>

#define TILE 64

static float *a, *b, *c;

static void add(void) {
#pragma omp parallel for
  for (int i = 0; i < VECTOR; i++) c[i] = a[i] + b[i];
}

static void naive(void) {
#pragma omp parallel for
  for (int row = 0; row < SIDE; row++)
    for (int column = 0; column < SIDE; column++) {
      float sum = 0.0f;
      for (int k = 0; k < SIDE; k++) sum += a[row * SIDE + k] * b[k * SIDE + column];
      c[row * SIDE + column] = sum;
    }
}

static void tiled(void) {
#pragma omp parallel for
  for (int row = 0; row < SIDE; row += TILE) {
    memset(&c[row * SIDE], 0, TILE * SIDE * sizeof *c);
    for (int k = 0; k < SIDE; k += TILE)
      for (int r = row; r < row + TILE; r++)
        for (int i = k; i < k + TILE; i++)
          for (int column = 0; column < SIDE; column++)
            c[r * SIDE + column] += a[r * SIDE + i] * b[i * SIDE + column];
  }
}

int main(void) {
  const size_t bytes = VECTOR * sizeof(float);
  a = malloc(bytes);
  b = malloc(bytes);
  c = malloc(bytes);
  if (!a || !b || !c) return 1;
  for (int i = 0; i < VECTOR; i++) {
    a[i] = input(i);
    b[i] = input(i + 500);
  }
  measure("vector_add", add);
  measure("matmul_naive", naive);
  check_product(a, b, c);
  measure("matmul_tiled", tiled);
  check_product(a, b, c);
  free(a);
  free(b);
  free(c);
}
