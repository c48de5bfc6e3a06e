/* cpu.c: see cpu.h. With OpenMP each core does some of the rows. */
#include "cpu.h"
#include "problem.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Where the source is, in an inner cell; without one, plate.rows * plate.cols. */
static size_t source_of(plate plate) {
  const bool inside = plate.source_row > 0 && plate.source_row + 1 < plate.rows && plate.source_col > 0 &&
                      plate.source_col + 1 < plate.cols;
  return (size_t)(inside ? plate.source_row : plate.rows) * (size_t)plate.cols +
         (size_t)(inside ? plate.source_col : 0);
}

static void sweep_float(const float *p, float *next, plate plate) {
  const size_t rows = (size_t)plate.rows, cols = (size_t)plate.cols, source = source_of(plate);
#pragma omp parallel for
  for (size_t row = 0; row < rows; row++) {
    const float *mid = p + row * cols;
    float *out = next + row * cols;
    if (row == 0 || row + 1 == rows || cols < 3) {
      memcpy(out, mid, cols * sizeof *out);
      continue;
    }
    out[0] = mid[0];
    for (size_t col = 1; col + 1 < cols; col++)
      out[col] = 0.25f * ((mid[col - cols] + mid[col + cols]) + (mid[col - 1] + mid[col + 1]));
    out[cols - 1] = mid[cols - 1];
  }
  if (source < rows * cols) next[source] = (float)(next[source] + plate.strength / 4);
}

static void sweep_double(const double *p, double *next, plate plate) {
  const size_t rows = (size_t)plate.rows, cols = (size_t)plate.cols, source = source_of(plate);
#pragma omp parallel for
  for (size_t row = 0; row < rows; row++) {
    const double *mid = p + row * cols;
    double *out = next + row * cols;
    if (row == 0 || row + 1 == rows || cols < 3) {
      memcpy(out, mid, cols * sizeof *out);
      continue;
    }
    out[0] = mid[0];
    for (size_t col = 1; col + 1 < cols; col++)
      out[col] = 0.25 * ((mid[col - cols] + mid[col + cols]) + (mid[col - 1] + mid[col + 1]));
    out[cols - 1] = mid[cols - 1];
  }
  if (source < rows * cols) next[source] += plate.strength / 4;
}

static size_t cells_of(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLS]; }

void sweep_cpu(const wb_case *c) { sweep_float(wb_f32(c, SWEEP_P), wb_f32(c, SWEEP_NEXT), problem_plate(c)); }

void change_cpu(const wb_case *c) {
  const float *p = wb_f32(c, CHANGE_P), *next = wb_f32(c, CHANGE_NEXT);
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (size_t i = 0; i < cells_of(c); i++) sum += ((double)next[i] - p[i]) * ((double)next[i] - p[i]);
  wb_f64(c, CHANGE_SUM)[0] = sum;
}

static double norm_of_change(const double *p, const double *next, size_t cells) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (size_t i = 0; i < cells; i++) sum += (next[i] - p[i]) * (next[i] - p[i]);
  return sqrt(sum);
}

void solve_cpu(const wb_case *c) {
  const stopping stop = problem_stop(c);
  double *now = wb_f64(c, SOLVE_P), *next = wb_f64(c, SOLVE_WORK);
  outcome reached = {0, INFINITY};
  while (reached.sweeps < stop.most && !(reached.change < stop.tolerance)) {
    sweep_double(now, next, problem_plate(c));
    double *const last = now;
    now = next;
    next = last;
    if (++reached.sweeps % stop.check_every == 0 || reached.sweeps == stop.most)
      reached.change = norm_of_change(next, now, cells_of(c));
  }
  if (now != wb_f64(c, SOLVE_P)) memcpy(wb_f64(c, SOLVE_P), now, cells_of(c) * sizeof *now);
  wb_i32(c, SOLVE_SWEEPS)[0] = reached.sweeps;
  wb_f64(c, SOLVE_CHANGE)[0] = reached.change;
}

void sweeps_cpu(const wb_case *c) {
  float *now = wb_f32(c, SWEEPS_P), *next = wb_f32(c, SWEEPS_WORK);
  for (size_t s = 0; s < c->size.n[COUNT]; s++) {
    sweep_float(now, next, problem_plate(c));
    float *const last = now;
    now = next;
    next = last;
  }
  if (now != wb_f32(c, SWEEPS_P)) memcpy(wb_f32(c, SWEEPS_P), now, cells_of(c) * sizeof *now);
}
