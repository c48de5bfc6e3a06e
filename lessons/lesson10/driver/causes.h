/* causes.h: names the mistake in a wrong result of lesson10, where the value shows it. */
#ifndef CAUSES_H
#define CAUSES_H

#include "oracle.h"

/* What may be known of a wrong result. The functions return NULL where no known mistake gives this value. */
typedef struct wrong {
  const problem *p;
  size_t nx, ny;    /* the grid of this result */
  unsigned threads; /* in a block; 0 where the function chooses them */
  double got, right, tolerance;
  const double *before; /* d_work at the beginning */
} wrong;

/* A result of the midpoint rule. */
const char *cause_of_rule(const wrong *w);

/* I(2 nx, 2 ny), for nx and ny of the coarser grid. */
const char *cause_of_finer(const wrong *w);

/* The estimate of the error, from the two results before it. */
const char *cause_of_estimate(const wrong *w, double coarse, double fine);

/* A result of monte_carlo with n points, n not too large. */
const char *cause_of_mean(const wrong *w, uint64_t seed, uint64_t first, size_t n);

#endif
