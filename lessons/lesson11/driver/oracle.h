/* oracle.h: the exact elements of a product of float matrices, for the driver. */
#ifndef ORACLE_H
#define ORACLE_H

#include "wb.h"

#include <stddef.h>

/* C = A B, by rows. `content` is another number for each content of the same memory. */
typedef struct oracle_product {
  const float *a, *b;
  size_t m, n, k, lda, ldb;
  double content;
} oracle_product;

/* A sum of k products in double, with a relative error of some k * 1e-16; and the sum of their magnitudes. */
typedef struct oracle_sum {
  double sum, magnitude;
} oracle_sum;

/* Element (row, column) of C. All threads of the harness may call it at the same time. A thread that asks for
 * one element of a large product after the other gets them many times as fast. */
oracle_sum oracle_element(const oracle_product *p, size_t row, size_t column);

/*
 * The same where the library takes factors in `zeros` for 0. It gets A and B as they are, or each number in two parts:
 * one that is off by at most `off` times the number, and what is left, whose product may be lost as well. `open`: how
 * much more or less the sum may be, because it is not known whether a part is in the window.
 */
oracle_sum oracle_zeroed(const oracle_product *p, size_t row, size_t column, const wb_window *zeros,
                         double off, double *open);

#endif
