/* calls.h: the calls of the learner's functions, for wb_task.call. Each returns the function's status. */
#ifndef CALLS_H
#define CALLS_H

#include "wb.h"

/* Blocks and threads for try number g: the first two are equal. A large device is filled by the first. */
typedef struct grid {
  unsigned blocks, threads;
} grid;

grid grid_of(const wb_case *c, size_t g);

int call_integrate(const wb_case *c);
int call_same_bits(const wb_case *c); /* once for each grid */
int call_richardson(const wb_case *c);
int call_monte_carlo(const wb_case *c); /* once for each grid */
int call_fast(const wb_case *c);

#endif
