/* causes.h: what is wrong with a value, where the value shows it. */
#ifndef CAUSES_H
#define CAUSES_H

#include "oracle.h"

/* Element (row, column) of a product is `got`, not `right` within `tolerance`. NULL: it does not show why. bound: of
 * gemm_to, else 0. */
typedef struct wrong {
  const oracle_product *p;
  size_t row, column;
  double got, right, tolerance, bound;
} wrong;
const char *cause_of_element(const wrong *w);

/* time_gemm's ratio `which` (0 first, 1 warm) is not 1. */
const char *cause_of_time(int which, double ratio, int calls);

/* What a changed setting of the handle is marked with (main.c), and the words for it. */
enum { MATH_MODE = 0xEE, POINTER_MODE = 0xDD };
const char *cause_of_settings(double got);

#endif
