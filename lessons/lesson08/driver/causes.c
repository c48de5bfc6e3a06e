/* causes.c: see causes.h. A wrong value is compared with what known mistakes give. */
#include "causes.h"
#include "oracle.h"
#include "problem.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static size_t cells_of(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLS]; }

static bool near(wb_expected want, double got, double value) {
  return fabs(got - value) <= want.tolerance && fabs(want.value - value) > 2 * want.tolerance;
}

/* ---- change ---- */

#define LARGE ((size_t)1 << 20) /* cells that take too long to add up again */
#define WARP  32

/* The sum over the cells of some threads: the first `kept` of each `block`. */
static double sum_of_threads(const wb_case *c, size_t block, size_t kept) {
  const float *p = wb_f32(c, CHANGE_P), *next = wb_f32(c, CHANGE_NEXT);
  double sum = 0;
  for (size_t i = 0; i < cells_of(c); i++)
    if (i % block < kept) sum += ((double)next[i] - p[i]) * ((double)next[i] - p[i]);
  return sum;
}

/* The sum of the differences of the squares, for that of the squares of the differences. */
static double difference_of_squares(const wb_case *c) {
  const float *p = wb_f32(c, CHANGE_P), *next = wb_f32(c, CHANGE_NEXT);
  double sum = 0;
  for (size_t i = 0; i < cells_of(c); i++) sum += (double)next[i] * next[i] - (double)p[i] * p[i];
  return sum;
}

/* Threads whose sums are lost. With few cells more than one mistake gives the same. */
static const char *cause_of_threads(const wb_case *c, wb_expected want, double got) {
  if (cells_of(c) > LARGE) return NULL;
  const double squares = difference_of_squares(c);
  if (near(want, got, squares) || near(want, got, fabs(squares)))
    return "it is the difference of the squares: the square of the difference of each cell is asked for";
  if (near(want, got, sum_of_threads(c, WARP, 1)))
    return "only every 32nd cell is in it, that of a warp's first thread: do the sums of the other threads "
           "of a warp reach the block's?";
  for (size_t block = 2 * WARP; block <= 1024; block *= 2) {
    if (near(want, got, sum_of_threads(c, block, WARP)))
      return "only the cells of a block's first warp are in it, 32 of each block: do the sums of its other "
             "warps reach the result, also that of a warp with few cells left?";
    if (near(want, got, sum_of_threads(c, block, 1)))
      return "only the first cell of a block is in it: do the sums of the other threads reach the block's?";
  }
  return NULL;
}

/* Off by no more than rounding the squares of cells gives; with more cells it may be the additions. */
static const char *cause_of_close(const wb_case *c, wb_expected want, double got) {
  const float *p = wb_f32(c, CHANGE_P), *next = wb_f32(c, CHANGE_NEXT);
  double squares = 0;
  for (size_t i = 0; i < cells_of(c); i++) squares += (double)next[i] * next[i] + (double)p[i] * p[i];
  if (fabs(got - want.value) > 4 * WB_EPS32 * squares) return NULL;
  return "it is off by what rounding the squares of cells gives: subtract first, then square the difference, "
         "since of b * b - 2 * a * b + a * a hardly a digit is right where b is near a";
}

const char *cause_change(const wb_case *c, int array, size_t i, double got) {
  const size_t moves = c->size.n[MOVES];
  const int tiny = moves == TINY_CELLS || moves == TINY_PARTS || moves == TINY_REST;
  const wb_expected want = expect_change(c, array, i);
  const char *known = tiny ? NULL : cause_of_threads(c, want, got);
  if (!known && (moves == CLOSE || cells_of(c) == 1)) known = cause_of_close(c, want, got);
  if (!tiny) return known;
  if (fabs(got / want.value - 1) > 0.1) return NULL;
  if (moves == TINY_REST)
    return "4096 cells move by 1, all others move very little: where a thread adds up a hundred cells in "
           "float, each of the little ones is rounded away; more additions in a row than jacobi.h allows";
  return "the first cell moves by 1, all others move very little: where their squares are added to its one "
         "after the other in float, each is rounded away; more additions in a row than jacobi.h allows";
}

/* ---- A sweep ---- */

#define WHOLE_STRENGTH                                                                                       \
  "it is the source: its strength is part of the sum that is divided by 4, and here all of it was added"

/* A cell on the edge that changed. */
static const char *cause_of_edge(plate p, int row) {
  return row == 0 || row == p.rows - 1
             ? "it is in the first or last row: these and the first and last column keep their values"
             : "it is in the first or last column: these and the first and last row keep their values";
}

/* A sweep that is wrong at the source, heats another cell, or keeps an inner cell. */
const char *cause_sweep(const wb_case *c, int array, size_t i, double got) {
  static _Thread_local char text[120];
  const plate p = problem_plate(c);
  const int row = (int)(i / (size_t)p.cols), col = (int)(i % (size_t)p.cols);
  const bool inside = row > 0 && row < p.rows - 1 && col > 0 && col < p.cols - 1;
  const double heat = p.strength / 4, more = got - expect_sweep(c, array, i).value;
  const bool source = row == p.source_row && col == p.source_col;
  if (inside && got == (double)wb_f32(c, SWEEP_P)[i] &&
      (row == 1 || row == p.rows - 2 || col == 1 || col == p.cols - 2))
    return "it is the value from before the sweep, as if the cell were on the edge: that is the first and "
           "the last row and column alone";
  if (!inside && !source && isfinite(got)) return cause_of_edge(p, row);
  if (isnan(more))
    return inside ? NULL
                  : "a cell on the edge keeps its value whatever its neighbours are: 0 times NaN is NaN, so "
                    "choose "
                    "between two values, and multiply neither by 0";
  if (heat != 0 && inside && source && fabs(more - 3 * heat) <= 1e-4 * fabs(heat)) return WHOLE_STRENGTH;
  if (heat == 0 || fabs(fabs(more) - fabs(heat)) > 1e-4 * fabs(heat)) return NULL;
  if (source && more * heat > 0) return "the source is on the edge, where it has no effect";
  if (source != (more * heat < 0)) return NULL;
  if (!source && row == p.source_col && col == p.source_row)
    return "row and column of the source are exchanged";
  snprintf(text, sizeof text,
           more * heat < 0 ? "the source is missing, in row %d and column %d"
                           : "a source is added here, and the plate has its own in row %d and column %d",
           p.source_row, p.source_col);
  return text;
}

/* ---- The end of a solver ---- */

/* The end where the change is looked at after other sweeps: 1, 1 + check_every and so on. */
static const char *cause_phase(stopping stop, int first_below, int slack, double got) {
  static _Thread_local char text[160];
  const int every = stop.check_every, phase = (int)got % every;
  if (phase == 0 || got == stop.most || got < first_below - slack || got >= first_below + every + slack)
    return NULL;
  snprintf(
      text, sizeof text,
      "it ends after sweep %.0f, and check_every is %d: is the change looked at after sweeps %d, %d, %d?",
      got, every, phase, phase + every, phase + 2 * every);
  return text;
}

/* The number of sweeps that is right by other rules for the end, if only one of them gives it. */
static const char *cause_end(const wb_case *c, bool wide, double got) {
  const stopping stop = problem_stop(c);
  const int want = oracle_sweeps(c, wide, stop), most = stop.most;
  const double cells = (double)cells_of(c);
  const struct {
    const char *cause;
    stopping stop;
  } rules[] = {
      {"the square of the change is compared with the tolerance",
       {sqrt(stop.tolerance), stop.check_every, most}},
      {"the change is compared with the square of the tolerance",
       {stop.tolerance * stop.tolerance, stop.check_every, most}},
      {"the root of the mean of the squares is compared with the tolerance, and the change is the root of "
       "their sum",
       {stop.tolerance * sqrt(cells), stop.check_every, most}},
      {"the mean of the squares is compared with the tolerance, and the change is the root of their sum",
       {sqrt(stop.tolerance * cells), stop.check_every, most}},
      {"the change is looked at after every sweep, not after every check_every-th",
       {stop.tolerance, 1, most}},
      {"it ends only after the most sweeps that are allowed: the change is never found below the tolerance. "
       "Does it get smaller from check to check: does each sweep read what the sweep before has written, and "
       "does the sum begin with 0 at each check?",
       {0, stop.check_every, most}}};
  if (got > most) return "it made more sweeps than stop.most";
  if (most > MOST) /* too many to try */
    return got > 0 ? NULL
                   : "it makes no sweep: most is the largest int, so a sum such as most + check_every - 1 "
                     "overflows";
  if (stop.tolerance == 0 && got == stop.check_every)
    return "it ends at the first check, where the change is 0, as is the tolerance: 0 is not below 0. Is the "
           "tolerance compared as it is, however small?";
  if (got == want + stop.check_every)
    return "it ends one check late: is the change that is compared the one of the last sweep?";
  if (got == want - stop.check_every)
    return "it ends one check early: is the change that is compared the one of the last sweep?";
  const char *found = NULL;
  const int slack = !wide; /* the oracle computes in double */
  for (size_t r = 0; r < WB_COUNT(rules); r++) {
    const int other = oracle_sweeps(c, wide, rules[r].stop);
    if (fabs(got - other) > slack || abs(want - other) <= 2 * slack) continue;
    if (found) return NULL;
    found = rules[r].cause;
  }
  if (found) return found;
  return cause_phase(stop, oracle_sweeps(c, wide, (stopping){stop.tolerance, 1, most}), slack, got);
}

/* A plate on the host that is swept again, with a strength of its own. */
typedef struct again {
  double *room, *now;
  outcome reached;
} again;

static again sweep_again(const wb_case *c, int array, bool wide, stopping stop, double strength) {
  const size_t cells = cells_of(c);
  again a = {.room = malloc((2 * cells + 1) * sizeof *a.room)};
  double closest;
  if (!a.room) abort();
  for (size_t i = 0; i < cells; i++) a.room[i] = wide ? wb_f64(c, array)[i] : (double)wb_f32(c, array)[i];
  plate p = problem_plate(c);
  p.strength *= strength;
  a.now = oracle_solve(a.room, a.room + cells, p, stop, &a.reached, &closest);
  return a;
}

#define MANY 10000000.0 /* cells of all sweeps */

/* The change of another sweep than the last. */
static const char *cause_of_change(const wb_case *c, bool wide, wb_expected want, double got) {
  static _Thread_local char text[120];
  const stopping stop = problem_stop(c);
  const int last = oracle_sweeps(c, wide, stop);
  int nearest = 0;
  double distance = want.tolerance;
  if ((double)cells_of(c) * last * last > MANY) return NULL;
  for (int sweeps = 1; sweeps <= last + stop.check_every; sweeps++) {
    const again a = sweep_again(c, SOLVE_P, wide, (stopping){-1, sweeps, sweeps}, 1);
    free(a.room);
    if (sweeps == last || !near(want, got, a.reached.change) || fabs(got - a.reached.change) > distance)
      continue;
    distance = fabs(got - a.reached.change);
    nearest = sweeps;
  }
  if (!nearest) return NULL;
  snprintf(text, sizeof text,
           "it is the change of sweep %d, and sweep %d is the last: is it computed after that one, too?",
           nearest, last);
  return text;
}

/* ---- The plate of a solver ---- */

/* The plate of one sweep less, or of the whole strength, where that differs from the result. */
static const char *cause_plate(const wb_case *c, bool of_sweeps, bool wide, size_t i, wb_expected want,
                               double got) {
  int sweeps;
  const double before = oracle_before_last(c, of_sweeps, wide, i, &sweeps);
  if (near(want, got, before))
    return sweeps % 2 ? "it is the value after one sweep less: after an odd number of sweeps the result is "
                        "in d_work, and must be brought to d_p"
                      : "it is the value after one sweep less";
  if (of_sweeps || (double)cells_of(c) * sweeps > MANY) return NULL;
  const again whole = sweep_again(c, SOLVE_P, wide, problem_stop(c), 4);
  const double value = whole.now[i];
  free(whole.room);
  want.tolerance *= 4;
  return near(want, got, value) ? WHOLE_STRENGTH : NULL;
}

static const char *cause_of_solver(const wb_case *c, int array, bool wide, size_t i, wb_expected want,
                                   double got) {
  if (array == SOLVE_P) return cause_plate(c, false, wide, i, want, got);
  return array == SOLVE_SWEEPS ? cause_end(c, wide, got) : cause_of_change(c, wide, want, got);
}

const char *cause_solve(const wb_case *c, int array, size_t i, double got) {
  return cause_of_solver(c, array, true, i, expect_solve(c, array, i), got);
}

const char *cause_solve_float(const wb_case *c, int array, size_t i, double got) {
  return cause_of_solver(c, array, false, i, expect_solve_float(c, array, i), got);
}

/* A cell near the source, with less of its heat: `sweeps` steps away at most, in a plate that is far larger. */
static const char *cause_of_heat(const wb_case *c, size_t i, wb_expected want, double got) {
  static _Thread_local char text[240];
  const plate p = problem_plate(c);
  const int sweeps = (int)c->size.n[COUNT];
  const int row = (int)(i / (size_t)p.cols), col = (int)(i % (size_t)p.cols);
  const int away = abs(row - p.source_row) + abs(col - p.source_col);
  if (away >= sweeps || (got - want.value) * p.strength >= 0 || cells_of(c) < 16 * (size_t)sweeps * sweeps)
    return NULL;
  snprintf(text, sizeof text,
           "it lacks heat, and the source, in row %d and column %d, is %d away: is it added in each sweep by "
           "every block that computes its cell, also in a halo?",
           p.source_row, p.source_col, away);
  return text;
}

/* The plate after another number of sweeps, if it is near one alone. After one more shows nothing: a cell that
 * is swept in place can have that value, too. */
static const char *cause_of_count(const wb_case *c, size_t i, wb_expected want, double got) {
  static _Thread_local char text[120];
  const int count = (int)c->size.n[COUNT], most = count + 8;
  int found = 0, after = 0;
  if ((double)cells_of(c) * most * most > MANY) return NULL;
  for (int sweeps = 1; sweeps <= most; sweeps++) {
    const again a = sweep_again(c, SWEEPS_P, false, (stopping){-1, sweeps, sweeps}, 1);
    const double value = a.now[i];
    free(a.room);
    if (sweeps == count || sweeps == count + 1 || !near(want, got, value)) continue;
    found++;
    after = sweeps;
  }
  if (found != 1) return NULL;
  snprintf(text, sizeof text, "it is the value after %d sweep%s, and %d %s asked for", after,
           after == 1 ? "" : "s", count, count == 1 ? "was" : "were");
  return text;
}

const char *cause_sweeps(const wb_case *c, int array, size_t i, double got) {
  const wb_expected want = expect_sweeps(c, array, i);
  const char *known = cause_plate(c, true, false, i, want, got);
  const plate p = problem_plate(c);
  const int row = (int)(i / (size_t)p.cols), col = (int)(i % (size_t)p.cols);
  if (known) return known;
  if ((row == 0 || row == p.rows - 1 || col == 0 || col == p.cols - 1) && isfinite(got))
    return cause_of_edge(p, row);
  if (c->size.n[COUNT] > 1 && got == (double)wb_f32(c, SWEEPS_P)[i])
    return "it is the value from before all sweeps: which of d_p and d_work has the result of the last "
           "launch? It belongs in d_p";
  known = cause_of_count(c, i, want, got);
  return known ? known : cause_of_heat(c, i, want, got);
}
