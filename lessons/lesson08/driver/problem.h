/*
 * problem.h: the plate of a case of lesson08, its source, and when to stop. The driver, the oracle and the
 * baselines use it.
 */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "jacobi.h"
#include "wb.h"
#include <limits.h>

/* Indices of sizes and arrays: the driver's tables use this order. MOVES belongs to `change`, COUNT to
 * `sweeps`. */
enum { ROWS, COLS, EVERY, PROBLEM, COUNT = EVERY, MOVES = EVERY };
enum { SWEEP_P, SWEEP_NEXT };
enum { CHANGE_P, CHANGE_NEXT, CHANGE_SUM };
enum { SOLVE_SWEEPS, SOLVE_P, SOLVE_WORK, SOLVE_CHANGE };
enum { SWEEPS_P, SWEEPS_WORK };

/*
 * The number PROBLEM of a size.
 * SEED: the course's own. dx = 1 / rows, f = 10000 in the middle, 0 at the start and on the edge, until the
 *       change is below 1e-4.
 * RANDOM: the same with the source anywhere, up to twice as strong, and another tolerance.
 * LIMITED: a random plate, its edge too, and a limit of 50 sweeps (51 if check_every is odd), which is
 *       reached before the tolerance.
 * ON_EDGE: as LIMITED, with the source in the first row, where it has no effect.
 * BRIEF: as LIMITED, with a limit of 7 sweeps, an odd number: the plate must be copied back.
 * STILL: a plate of zeros without a source, and a tolerance of 0, which no change is below: all of 6 sweeps.
 * AT_REST: the same with the course's tolerance: it ends at the first check.
 * ENDLESS: as AT_REST, with the largest int as its limit.
 * MIDDLE: for timing. The source is at most 8 cells from the middle, and strength and tolerance are scaled
 *       alike: each call solves another problem, and all take the course's number of sweeps, to about 1%.
 */
enum { SEED = 1, RANDOM, LIMITED, MIDDLE, ON_EDGE, STILL, AT_REST, BRIEF, ENDLESS };

/* The number MOVES of a size: how far the cells move from plate to plate. CLOSE: by a few units in the last
 * place of large numbers. */
enum { ANY = 1, TINY_CELLS, TINY_PARTS, CLOSE, TINY_REST };

/* No solve takes more sweeps than this, as in the course. */
#define MOST 100000

/* More than any of the small plates needs, so that a solver that does not converge is stopped early: the
 * number of sweeps grows with the square of the narrower side. */
static inline int problem_most(int rows, int cols) {
  const double enough = 4.0 * rows * cols + 100;
  return enough < MOST ? (int)enough : MOST;
}

/* A number of 1 .. count-2 from a random factor in [0.5, 2): a row or column inside the edge. */
static inline int problem_inside(double factor, int count) {
  return count < 3 ? 0 : 1 + (int)((factor - 0.5) / 1.5 * (count - 2));
}

/* From a random factor in [0.5, 2): a row or column 8 at most from the middle. */
static inline int problem_near_middle(double factor, int count) {
  const int apart = count < 32 ? count / 4 : 8;
  return count / 2 - apart + (int)((factor - 0.5) / 1.5 * (2 * apart + 1));
}

static inline int problem_is_limited(const wb_case *c) {
  return c->size.n[PROBLEM] == LIMITED || c->size.n[PROBLEM] == ON_EDGE || c->size.n[PROBLEM] == BRIEF;
}

/* A plate of zeros without a source. */
static inline int problem_rests(const wb_case *c) {
  const size_t problem = c->size.n[PROBLEM];
  return problem == STILL || problem == AT_REST || problem == ENDLESS;
}

static inline int problem_starts_at_zero(const wb_case *c) { return !problem_is_limited(c); }

static inline plate problem_plate(const wb_case *c) {
  plate p = {(int)c->size.n[ROWS], (int)c->size.n[COLS], 0, 0, 0};
  if (p.rows == 0 || p.cols == 0) return p;
  if (c->size.n[PROBLEM] == SEED) {
    p.source_row = p.rows / 2;
    p.source_col = p.cols / 2;
    p.strength = 10000.0 / p.rows / p.rows;
    return p;
  }
  const int middle = c->size.n[PROBLEM] == MIDDLE;
  p.source_row = middle ? problem_near_middle(c->param[0], p.rows) : problem_inside(c->param[0], p.rows);
  p.source_col = middle ? problem_near_middle(c->param[1], p.cols) : problem_inside(c->param[1], p.cols);
  if (c->size.n[PROBLEM] == ON_EDGE) p.source_row = 0;
  if (problem_rests(c)) return p;
  p.strength = problem_starts_at_zero(c) ? 10000.0 * c->param[2] / p.rows / p.rows : 4 * c->param[2];
  return p;
}

static inline stopping problem_stop(const wb_case *c) {
  stopping s = {1e-4, (int)c->size.n[EVERY], problem_most((int)c->size.n[ROWS], (int)c->size.n[COLS])};
  if (c->size.n[PROBLEM] == RANDOM) s.tolerance *= c->param[3];
  if (c->size.n[PROBLEM] == MIDDLE) s.tolerance *= c->param[2];
  if (c->size.n[PROBLEM] == STILL) return (stopping){0, s.check_every, 6};
  if (c->size.n[PROBLEM] == AT_REST) s.most = 6;
  if (c->size.n[PROBLEM] == ENDLESS) s.most = INT_MAX;
  if (problem_is_limited(c)) {
    s.tolerance = 1e-3;
    s.most = c->size.n[PROBLEM] == BRIEF ? 7 : s.check_every % 2 ? 51 : 50;
  }
  return s;
}

#endif
