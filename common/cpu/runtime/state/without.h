#ifndef CUCC_STATE_WITHOUT_H
#define CUCC_STATE_WITHOUT_H

#include <stdbool.h>

/* See cucc_without in include/cucc.h. */
extern int without_parts;
static inline bool without(int part) {
  return (__atomic_load_n(&without_parts, __ATOMIC_RELAXED) & part) != 0;
}

/* See cucc_zeros in include/cucc.h. */
extern double zeros_low, zeros_high;
static inline bool with_zeros(void) { return zeros_high > zeros_low; }
static inline bool counts_as_zero(double x) {
  const double magnitude = x < 0 ? -x : x;
  return magnitude >= zeros_low && magnitude < zeros_high;
}

#endif
