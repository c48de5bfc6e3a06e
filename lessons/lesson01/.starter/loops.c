/*
 * lesson01, loops: what one CPU can do, and what holds it back.
 *
 * Three limits, one after the other: how fast memory delivers data (saxpy), in which order a loop reads it
 * (matmul), and how many cores read at once (matmul_parallel, sum_parallel). Later lessons compare every
 * speedup of a GPU with figures like these.
 *
 * loops.h says what each function must do. Sizes are in elements.
 */
#include "loops.h"

#include <stddef.h>

void saxpy(float a, const float *x, float *y, int n) {
  /* TODO task 1: y[i] = a * x[i] + y[i], for every i from 0 to n - 1. */
}

/* TODO task 2: row i of c. Which of the loops over j and p must be the inner one, so that it runs along
 * rows? */

void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  /* TODO task 2: all rows of c, one after the other. */
}

void matmul_parallel(const float *a, const float *b, float *c, int m, int n, int k) {
  /* TODO task 3: the same on all cores. Which loop can you divide among the threads so that no two of them
   * write the same element? */
}

double sum_parallel(const float *x, int n) {
  /* TODO task 4: the sum, in double, on all cores. */
  return 0;
}

/* TODO go further: a tile of c whose elements stay in registers while p runs from 0 to k - 1. */

void matmul_blocked(const float *a, const float *b, float *c, int m, int n, int k) {
  /* TODO go further: tile after tile, on all cores; m and n need not be multiples of the tile. */
}
