/* oracle.h: the right values of lesson13, and those that known mistakes give. One plate on the host, in float,
 * with the additions in the order of multigpu.h: so the right answer has the same bits. */
#ifndef ORACLE_H
#define ORACLE_H

#include "problem.h"

#include <stdbool.h>

wb_expected expect_sweeps(const wb_case *c, int array, size_t i);
wb_expected expect_solve(const wb_case *c, int array, size_t i);

/* How the parts are swept. */
typedef enum kind {
  RIGHT,
  CUT,       /* the first and last row of each part are taken for the plate's edge */
  LATE,      /* the halo is one sweep older than the part */
  STALE,     /* the halo keeps the values of the start */
  MOVED,     /* the source's row is counted from a part's first row or halo */
  REST,      /* each part has rows / parts rows, and those that are left are not swept */
  NO_SOURCE, /* without the source */
  FEWER,     /* one sweep less */
  MORE,      /* one sweep more */
  KINDS
} kind;

/* Whether the plate is swept in parts, with their mistake. */
bool oracle_in_parts(kind how);

/* Whether it is one sweep of a plate of gigabytes, of which the harness looks at some cells: only they are swept. */
bool oracle_is_sampled(const wb_case *c);

/* The plate that a case has in `array`, after sweeps until `stop`. Valid until the next case. */
const float *oracle_plate(const wb_case *c, int array, kind how, stopping stop, int parts);

/* The stop after a case's number of sweeps. */
stopping oracle_all_sweeps(const wb_case *c);

/* What solve_rank must reach. */
outcome oracle_reached(const wb_case *c);

/* The root of the sum of the squares of so many differences. */
double oracle_change(const float *p, const float *next, size_t cells);

#endif
