/* oracle.h: the exact elements of a product of float matrices, for the driver. */
#ifndef ORACLE_H
#define ORACLE_H

#include "wb.h"

/* A sum of products and the sum of their magnitudes, both in double: exact but for some k * 1e-16 of it. */
typedef struct oracle_sum {
  double sum, magnitude;
} oracle_sum;

/* Element i of C = A * B, where B is k x m. Called from all of the harness's threads at once. */
oracle_sum oracle_element(const wb_case *c, size_t m, size_t k, size_t i);

#endif
