/* problem.h: the plate of a case of lesson13, and when to stop. The driver, the oracle and the baselines use it. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "multigpu.h"
#include "wb.h"
#include <limits.h>

/* Indices of sizes and arrays: the driver's tables use this order. */
enum { ROWS, COLS, DEVICES, COUNT, EVERY = COUNT };
enum { P, DEVICE_AFTER };
enum { SOLVE_CHANGE, SOLVE_SWEEPS, SOLVE_P };

#define ALL         0 /* as DEVICES: all that there are */
#define MOST_SWEEPS 60
#define NO_PEERS    11 /* rows of a plate whose devices cannot access each other's memory, on the CPU backend */

/* The random factors put the source anywhere inside the edge, in whatever part that is. */
static inline int problem_inside(double factor, size_t count) {
  return count < 3 ? 0 : 1 + (int)((factor - 0.5) / 1.5 * (double)(count - 2));
}

static inline plate problem_plate(const wb_case *c) {
  return (plate){.rows = (int)c->size.n[ROWS],
                 .cols = (int)c->size.n[COLS],
                 .source_row = problem_inside(c->param[0], c->size.n[ROWS]),
                 .source_col = problem_inside(c->param[1], c->size.n[COLS]),
                 .strength = (float)(8 * c->param[2])};
}

/* A change that is reached after some of the MOST_SWEEPS sweeps, or in small plates not at all: the source goes on
 * heating. Even numbers of sweeps between checks have an odd limit, and 7 does not divide it, so that the last batch
 * is a shorter one. A plate of two rows never changes, and its tolerance is 0: the change is not below it. One of one
 * row ends at the first check, and its limit is the largest int. */
static inline stopping problem_stop(const wb_case *c) {
  const int every = (int)c->size.n[EVERY];
  return (stopping){.tolerance = c->size.n[ROWS] == 2 ? 0 : 1.5 * c->param[3],
                    .check_every = every,
                    .most = c->size.n[ROWS] == 1 ? INT_MAX : MOST_SWEEPS - 1 + every % 2};
}

#endif
