/*
 * oracle.c: see oracle.h.
 *
 * Rounding. One sweep of a cell makes at most four roundings, of sums no larger than 4 M where M bounds all
 * values, and a division that is exact: an error of at most 4 eps M. The earlier errors of the cells are
 * averaged, so the largest of them never grows: after k sweeps the error is at most 4 eps M k. It doesn't
 * grow without limit either. Take the parabola 2 x (m - x) across the narrower side of m + 1 cells: a sweep
 * lowers it by 1 everywhere inside, and it is never negative, so if each sweep adds an error of 1, the total
 * stays below its maximum, m^2 / 2 (a discrete maximum principle). So:
 *
 *     |error| <= 4 eps M min(k, m^2 / 2)
 *
 * The change of a sweep is the difference of two such plates: the error of its norm is at most sqrt(cells)
 * times twice that. If the change at a check is so close to the tolerance that this error matters, the count
 * of sweeps may be one check more or less. In float this is always the case. Measured with four orders of
 * additions, for solutions of 445 to 19008 sweeps: they differ by at most 1 sweep. Allowed are 1 + sweeps /
 * 1000, and never less than one check.
 */
#include "oracle.h"
#include "problem.h"
#include "base/threads.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sweeps on the host ---- */

typedef struct pass {
  const double *p;
  double *next;
  plate plate;
} pass;

static void sweep_rows(void *argument, int part, size_t first, size_t last) {
  const pass *a = argument;
  const size_t rows = (size_t)a->plate.rows, cols = (size_t)a->plate.cols;
  (void)part;
  for (size_t row = first; row < last; row++) {
    const double *mid = a->p + row * cols;
    double *next = a->next + row * cols;
    if (row == 0 || row + 1 == rows || cols < 3) {
      memcpy(next, mid, cols * sizeof *next);
      continue;
    }
    next[0] = mid[0];
    next[cols - 1] = mid[cols - 1];
    for (size_t col = 1; col + 1 < cols; col++)
      next[col] = ((mid[col - cols] + mid[col + cols]) + (mid[col - 1] + mid[col + 1])) / 4;
    const size_t source = (size_t)a->plate.source_col;
    if (row == (size_t)a->plate.source_row && source > 0 && source + 1 < cols)
      next[source] += a->plate.strength / 4;
  }
}

static void sweep_host(const double *p, double *next, plate plate) {
  pass a = {p, next, plate};
  const size_t cells = (size_t)plate.rows * (size_t)plate.cols;
  if (cells < (size_t)1 << 20)
    sweep_rows(&a, 0, 0, (size_t)plate.rows);
  else
    wb_parallel((size_t)plate.rows, 64, sweep_rows, &a);
}

static double norm_of_change(const double *p, const double *next, size_t cells) {
  double sum = 0;
  for (size_t i = 0; i < cells; i++) sum += (next[i] - p[i]) * (next[i] - p[i]);
  return sqrt(sum);
}

double *oracle_solve(double *p, double *work, plate plate, stopping stop, outcome *reached, double *closest) {
  double *now = p, *next = work;
  *reached = (outcome){0, INFINITY};
  *closest = INFINITY;
  while (reached->sweeps < stop.most && !(reached->change < stop.tolerance)) {
    sweep_host(now, next, plate);
    double *const last = now;
    now = next;
    next = last;
    if (++reached->sweeps % stop.check_every && reached->sweeps < stop.most) continue;
    reached->change = norm_of_change(next, now, (size_t)plate.rows * (size_t)plate.cols);
    *closest = fmin(*closest, fabs(reached->change - stop.tolerance));
  }
  return now;
}

/* ---- The result of a whole case ---- */

/* The result of the most recent case. The first thread that asks for it computes it, while the others wait.
 * The harness checks one case at a time, so no thread still reads the previous result. */
typedef struct reference {
  bool known;
  wb_size size;
  double param[WB_MAX_PARAMS]; /* random, new for every call: they distinguish the cases of one size */
  double *p, *work, *result;
  size_t room; /* cells that fit into p and into work */
  outcome reached;
  double closest, largest;
} reference;

static double largest_of(const double *p, size_t cells) {
  double largest = 0;
  for (size_t i = 0; i < cells; i++) largest = fmax(largest, fabs(p[i]));
  return largest;
}

/* The seed's problem is the same at every call. */
static bool is_of(const reference *r, const wb_case *c) {
  return r->known && memcmp(&r->size, &c->size, sizeof r->size) == 0 &&
         (c->size.n[PROBLEM] == SEED || memcmp(r->param, c->param, sizeof r->param) == 0);
}

static void make(reference *r, const wb_case *c, int plates, bool wide, stopping stop) {
  const size_t cells = c->size.n[ROWS] * c->size.n[COLS];
  if (!r->p || cells > r->room) { /* used memory needs no new pages from the system */
    free(r->p);
    free(r->work);
    r->p = malloc((cells + 1) * sizeof *r->p);
    r->work = malloc((cells + 1) * sizeof *r->work);
    if (!r->p || !r->work) abort(); /* the harness has checked that the arrays fit twice */
    r->room = cells;
  }
  r->known = true;
  r->size = c->size;
  memcpy(r->param, c->param, sizeof r->param);
  for (size_t i = 0; i < cells; i++) r->p[i] = wide ? wb_f64(c, plates)[i] : wb_f32(c, plates)[i];
  const double before = largest_of(r->p, cells);
  r->result = oracle_solve(r->p, r->work, problem_plate(c), stop, &r->reached, &r->closest);
  /* The source only ever adds, so its contribution at the end, at most before + end, bounds all earlier
   * ones. */
  r->largest = 2 * before + largest_of(r->result, cells);
}

/* `plates`: the number of the array that the case starts with. Each thread takes the lock only once for a
 * case: taken for every cell, it would cost sixteen threads most of their time. A copy in `seen` never
 * outlives its memory: the harness creates new threads for each check, and the calling thread, which stays,
 * takes part in every check (wb_parallel), so its copy is always that of the most recent one. */
static const reference *reference_of(const wb_case *c, int plates, bool wide, stopping stop) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static reference last;
  static _Thread_local reference seen;
  if (is_of(&seen, c)) return &seen;
  pthread_mutex_lock(&lock);
  if (!is_of(&last, c)) make(&last, c, plates, wide, stop);
  seen = last;
  pthread_mutex_unlock(&lock);
  return &seen;
}

/* The bound from above. */
static double rounding(const reference *r, double eps) {
  const size_t *n = r->size.n, narrow = n[ROWS] < n[COLS] ? n[ROWS] : n[COLS];
  const double m = narrow > 1 ? (double)(narrow - 1) : 1;
  return 4 * eps * r->largest * fmin(r->reached.sweeps, fmax(1, m * m / 2));
}

/* ---- What is right ---- */

static bool on_edge(size_t i, size_t rows, size_t cols) {
  return i / cols == 0 || i / cols == rows - 1 || i % cols == 0 || i % cols == cols - 1;
}

/* Three additions, one of the source and a division that is exact: four roundings of at most the sum of the
 * magnitudes. The edge is copied, so it is exact. */
wb_expected expect_sweep(const wb_case *c, int array, size_t i) {
  const size_t rows = c->size.n[ROWS], cols = c->size.n[COLS];
  const float *p = wb_f32(c, SWEEP_P);
  const plate plate = problem_plate(c);
  (void)array;
  if (on_edge(i, rows, cols)) return (wb_expected){.value = p[i], .tolerance = 0};
  const bool source = i == (size_t)plate.source_row * cols + (size_t)plate.source_col;
  const double up = p[i - cols], down = p[i + cols], left = p[i - 1], right = p[i + 1],
               heat = source ? plate.strength : 0;
  return (wb_expected){.value = (up + down + left + right + heat) / 4,
                       .tolerance = WB_EPS32 * 1.001 *
                                    (fabs(up) + fabs(down) + fabs(left) + fabs(right) + fabs(heat))};
}

/* No term is negative, so relative errors add up: those of a difference in float, which counts twice in its
 * square, of the square, and of as many additions as jacobi.h allows. */
wb_expected expect_change(const wb_case *c, int array, size_t i) {
  const size_t cells = c->size.n[ROWS] * c->size.n[COLS];
  const float *p = wb_f32(c, CHANGE_P), *next = wb_f32(c, CHANGE_NEXT);
  double sum = 0;
  (void)array, (void)i;
  wb_part part[WB_MAX_PARTS]; /* the same of both arrays */
  const int parts = wb_parts(c, CHANGE_P, part);
  for (int s = 0; s < parts; s++)
    for (size_t k = part[s].first; k < part[s].last; k++)
      sum += part[s].times * ((double)next[k] - p[k]) * ((double)next[k] - p[k]);
  return (wb_expected){.value = sum, .tolerance = WB_EPS32 * 1.001 * (3 + 60 + (double)cells / 65536) * sum};
}

int oracle_sweeps(const wb_case *c, bool wide, stopping stop) {
  reference other = {0};
  make(&other, c, SOLVE_P, wide, stop);
  free(other.p);
  free(other.work);
  return other.reached.sweeps;
}

static wb_expected expect_solved(const wb_case *c, int array, size_t i, bool wide) {
  const stopping stop = problem_stop(c);
  const reference *r = reference_of(c, SOLVE_P, wide, stop);
  const double off = rounding(r, wide ? WB_EPS64 : WB_EPS32);
  const double noise = 2 * off * sqrt((double)(c->size.n[ROWS] * c->size.n[COLS]));
  const bool near = r->closest < noise;
  const int slack = near ? (int)fmax(stop.check_every, 1 + r->reached.sweeps / 1000) : 0;
  if (array == SOLVE_SWEEPS) return (wb_expected){.value = r->reached.sweeps, .tolerance = slack};
  /* A few sweeps more or less; each changes no cell by more than about the tolerance. */
  if (array == SOLVE_P)
    return (wb_expected){.value = r->result[i], .tolerance = off + slack * stop.tolerance};
  return (wb_expected){.value = r->reached.change, .tolerance = noise + (near ? stop.tolerance : 0)};
}

wb_expected expect_solve(const wb_case *c, int array, size_t i) { return expect_solved(c, array, i, true); }

wb_expected expect_solve_float(const wb_case *c, int array, size_t i) {
  return expect_solved(c, array, i, false);
}

/* The other one of the two plates. */
double oracle_before_last(const wb_case *c, bool of_sweeps, bool wide, size_t i, int *sweeps) {
  const int count = (int)c->size.n[COUNT];
  const stopping all = {-1, count, count};
  const reference *r =
      of_sweeps ? reference_of(c, SWEEPS_P, false, all) : reference_of(c, SOLVE_P, wide, problem_stop(c));
  *sweeps = r->reached.sweeps;
  return *sweeps == 0 ? NAN : r->result == r->p ? r->work[i] : r->p[i];
}

wb_expected expect_sweeps(const wb_case *c, int array, size_t i) {
  /* There is no check before the end, because no change is below 0. */
  const int count = (int)c->size.n[COUNT];
  const reference *r = reference_of(c, SWEEPS_P, false, (stopping){-1, count, count});
  (void)array;
  return (wb_expected){.value = r->result[i], .tolerance = rounding(r, WB_EPS32)};
}
