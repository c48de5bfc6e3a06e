/* oracle.h: the exact elements of a product of float matrices, for the driver. */
#ifndef ORACLE_H
#define ORACLE_H

#include "wb.h"

/* A sum of products, in double, with a relative error of some k * 1e-16. And an upper bound of the sum of
 * their magnitudes: the length of A's row times the length of B's column (Cauchy and Schwarz). */
typedef struct oracle_sum {
  double sum, magnitude;
} oracle_sum;

/* Element i of C = A * B, where A is m x k and B is k x n. All threads of the harness may call it at the
 * same time. A thread that asks for one element after the other gets them several times as fast. */
oracle_sum oracle_element(const wb_case *c, size_t m, size_t n, size_t k, size_t i);

#endif
