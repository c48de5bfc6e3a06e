/*
 * lesson08, jacobi: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; jacobi.h says what you write in jacobi.cu.
 */
#include "causes.h"
#include "cpu.h"
#include "jacobi.h"
#include "oracle.h"
#include "picture.h"
#include "problem.h"
#include "wb.h"
#include "baselines.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t count_cells(const wb_case *c) { return c->size.n[ROWS] * c->size.n[COLS]; }
static size_t count_one(const wb_case *c) { return (void)c, 1; }

/* ---- The learner's functions ---- */

/* --size may give any numbers: the learner's function is never called with sizes that jacobi.h excludes. */
static int bad(const wb_case *c) { return c->size.n[ROWS] > 500000 || c->size.n[COLS] > 500000; }

static int call_sweep(const wb_case *c) {
  if (bad(c)) return cudaErrorInvalidValue;
  return sweep(wb_f32(c, SWEEP_P), wb_f32(c, SWEEP_NEXT), problem_plate(c));
}

static int call_change(const wb_case *c) {
  if (bad(c)) return cudaErrorInvalidValue;
  return change(wb_f32(c, CHANGE_P), wb_f32(c, CHANGE_NEXT), count_cells(c), wb_f64(c, CHANGE_SUM));
}

static int solve_bad(const wb_case *c) { return bad(c) || c->size.n[EVERY] < 1 || c->size.n[EVERY] > MOST; }

/* Stores the outcome. If the function never wrote it, the poison value stays. A NaN that comes from memory without
 * a value has the same bits: it becomes another NaN. */
static int tell(const wb_case *c, int status, const outcome *reached) {
  if (reached->sweeps >= 0) wb_i32(c, SOLVE_SWEEPS)[0] = reached->sweeps;
  if (!(reached->change < 0)) wb_f64(c, SOLVE_CHANGE)[0] = isnan(reached->change) ? NAN : reached->change;
  return status;
}

static int call_solve(const wb_case *c) {
  outcome reached = {-1, -1};
  if (solve_bad(c)) return cudaErrorInvalidValue;
  const int status =
      solve(wb_f64(c, SOLVE_P), wb_f64(c, SOLVE_WORK), problem_plate(c), problem_stop(c), &reached);
  return tell(c, status, &reached);
}

static int call_solve_float(const wb_case *c) {
  outcome reached = {-1, -1};
  if (solve_bad(c)) return cudaErrorInvalidValue;
  const int status =
      solve_float(wb_f32(c, SOLVE_P), wb_f32(c, SOLVE_WORK), problem_plate(c), problem_stop(c), &reached);
  return tell(c, status, &reached);
}

static int call_sweeps(const wb_case *c) {
  if (bad(c)) return cudaErrorInvalidValue;
  return sweeps(wb_f32(c, SWEEPS_P), wb_f32(c, SWEEPS_WORK), problem_plate(c), (int)c->size.n[COUNT]);
}

/* The plate of the seed's problem is 0 everywhere at the start. */
static int shape_solve(const wb_case *c, int array, void *values) {
  if (array != SOLVE_P || !problem_starts_at_zero(c)) return 0;
  memset(values, 0, count_cells(c) * sizeof(double));
  return 1;
}

static int shape_solve_float(const wb_case *c, int array, void *values) {
  if (array != SOLVE_P || !problem_starts_at_zero(c)) return 0;
  memset(values, 0, count_cells(c) * sizeof(float));
  return 1;
}

/* Numbers from 1024 to 2047, which move by a few units in the last place. */
static int shape_close(const wb_case *c, int next, float *x) {
  const float base = (float)(1024 + 400 * c->param[0]), unit = 0x1p-13f;
  for (size_t i = 0; i < count_cells(c); i++)
    x[i] = base + (float)(i % 97) + (next ? unit * (float)(1 + i % 5) : 0);
  return 1;
}

/*
 * Where many squares are added to the first one after the other, rounding must show: the first cell moves by
 * 1, and 1 and the square of any other, or 1 and a hundredth of all other squares, rounds to 1 in float. Or the first
 * cell of each of up to 4096 threads does: then some hundred squares in each are lost.
 */
static int shape_change(const wb_case *c, int array, void *values) {
  float *x = values;
  const size_t cells = count_cells(c), kind = c->size.n[MOVES];
  if (array == CHANGE_SUM) return 0;
  if (kind == CLOSE) return shape_close(c, array == CHANGE_NEXT, x);
  if (kind != TINY_CELLS && kind != TINY_PARTS && kind != TINY_REST) return 0;
  const size_t large = kind == TINY_REST ? 4096 : 1;
  const double all = 70 + 35 * c->param[0], one = kind == TINY_REST ? 0.98 : 0.5 + c->param[0] / 4;
  const double move = sqrt(WB_EPS32 * (kind == TINY_PARTS ? all / (double)cells : one));
  for (size_t i = 0; i < cells; i++) x[i] = array == CHANGE_P ? 0 : i < large ? 1 : (float)move;
  return 1;
}

/* ---- Sizes ---- */

/* No cell, one, all edge; a single inner cell; wider and taller than blocks of 32 x 8, one less and one more;
 * long rows, long columns. Never square where it matters: rows and columns must not be exchanged. The last two
 * have a multiple of four cells in all, but not in a row. */
static const wb_size sizes[] = {{{0, 5}},    {{1, 1}},    {{2, 40}},   {{3, 3}},    {{7, 33}},
                                {{33, 31}},  {{64, 64}},  {{5, 1021}}, {{1021, 4}}, {{129, 260}},
                                {{3, 1027}}, {{1025, 3}}, {{6, 134}},  {{4, 135}}};
/* Only the number of cells matters here, not rows and columns; and how far they move. */
static const wb_size change_sizes[] = {
    {{0, 5, ANY}},    {{1, 1, ANY}},    {{1, 33, ANY}},    {{5, 51, ANY}},           {{16, 16, ANY}},
    {{1, 257, ANY}},  {{31, 33, ANY}},  {{64, 1021, ANY}}, {{613, 701, TINY_REST}},  {{613, 701, ANY}},
    {{1, 1025, ANY}}, {{1, 1027, ANY}}, {{3, 683, ANY}},   {{613, 701, TINY_CELLS}}, {{613, 701, TINY_PARTS}},
    {{31, 34, CLOSE}}};
/* The seed's problem on small plates, checked after every sweep and rarely; random problems; too few sweeps.
 * The largest is wider and taller than a block; more cells would take the CPU backend thousands of sweeps. */
static const wb_size solve_sizes[] = {
    {{1, 1, 1, SEED}},       {{3, 3, 1, SEED}},      {{17, 12, 1, RANDOM}},   {{9, 16, 1, SEED}},
    {{21, 30, 100, RANDOM}}, {{24, 9, 16, LIMITED}}, {{9, 40, 64, LIMITED}},  {{34, 12, 100, SEED}},
    {{34, 22, 100, MIDDLE}}, {{11, 14, 7, LIMITED}}, {{12, 10, 51, LIMITED}}, {{8, 9, 1, LIMITED}},
    {{10, 13, 4, ON_EDGE}},  {{6, 5, 2, STILL}},     {{7, 6, 7, BRIEF}},      {{7, 4, 2, AT_REST}},
    {{5, 8, 3, ENDLESS}}};
/* Rows of whole float4s and other rows; fewer and more sweeps than a kernel does at a time; a plate so large
 * that parts of it are far from the edge; a multiple of four cells in all, but not in a row. */
static const wb_size sweeps_sizes[] = {{{0, 5, 1}},     {{1, 1, 3}},    {{3, 4, 1}},      {{7, 33, 2}},
                                       {{40, 36, 5}},   {{33, 128, 8}}, {{64, 260, 9}},   {{130, 132, 16}},
                                       {{61, 300, 31}}, {{5, 1024, 7}}, {{110, 300, 12}}, {{20, 134, 11}},
                                       {{12, 135, 9}}};

/* ---- Work ---- */

/* Every cell is read once and written once. */
static double bytes_sweep(const wb_case *c) { return 8.0 * (double)count_cells(c); }
static double bytes_change(const wb_case *c) { return 8.0 * (double)count_cells(c); }
/* As many sweeps, each through memory. A solution that keeps cells on the chip for several sweeps moves less,
 * and its ratio is above 1. */
static double bytes_sweeps(const wb_case *c) { return bytes_sweep(c) * (double)c->size.n[COUNT]; }

static const wb_baseline copy[] = {{"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work}};
static const wb_baseline solve_baselines[] = {
    {"simple-solve", "the harness's own: a simple kernel, a check every so many sweeps", simple_solve_call,
     NULL}};
static const wb_baseline sweeps_baselines[] = {
    {"copy", "a device copy, 16 bytes a thread", wb_copy_call, wb_copy_work},
    {"simple-sweeps", "as many sweeps of a simple kernel, by the harness", simple_sweeps_call, NULL}};

/* ---- The table ---- */

static const wb_task tasks[] = {
    {.name = "sweep",
     .what = "one sweep from one plate into another",
     .number = 1,
     .dims = "rows cols",
     .arrays = {{"d_p", WB_IN, WB_DEVICE, WB_F32, count_cells},
                {"d_next", WB_OUT, WB_DEVICE, WB_F32, count_cells}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{8192, 8192}},
     .large = {{23173, 23175}},
     .huge = {{46349, 46351}},
     .reach = {{{46349, 46351}}, {{500000, 16}}, {{16, 500000}}},
     .trace = {{129, 260}},
     .special = WB_ANY,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_sweep,
     .expect = expect_sweep,
     .cause = cause_sweep,
     .bytes = bytes_sweep,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = sweep_cpu},
    {.name = "change",
     .what = "the square of the norm of a change, on the device",
     .number = 2,
     .dims = "rows cols moves",
     .arrays = {{"d_p", WB_IN, WB_DEVICE, WB_F32, count_cells},
                {"d_next", WB_IN, WB_DEVICE, WB_F32, count_cells},
                {"d_sum", WB_OUT, WB_DEVICE, WB_F64, count_one}},
     .sizes = change_sizes,
     .size_count = WB_COUNT(change_sizes),
     .timed = {{8192, 8192, ANY}},
     .large = {{23173, 23175, ANY}},
     .huge = {{46349, 46351, ANY}},
     .reach = {{{46350, 47100, ANY}}},
     .trace = {{613, 701, ANY}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_change,
     .expect = expect_change,
     .cause = cause_change,
     .shape = shape_change,
     .bytes = bytes_change,
     .baselines = copy,
     .baseline_count = WB_COUNT(copy),
     .cpu = change_cpu},
    {.name = "solve",
     .what = "sweeps until the plate changes no more, in double",
     .number = 3,
     .dims = "rows cols every problem",
     .arrays = {{"sweeps", WB_OUT, WB_HOST, WB_I32, count_one},
                {"d_p", WB_INOUT, WB_DEVICE, WB_F64, count_cells},
                {"d_work", WB_IN, WB_DEVICE, WB_F64, count_cells},
                {"change", WB_OUT, WB_HOST, WB_F64, count_one}},
     .sizes = solve_sizes,
     .size_count = WB_COUNT(solve_sizes),
     .timed = {{256, 256, 100, MIDDLE}},
     .reach = {{{500000, 16, 7, LIMITED}}, {{16, 500000, 7, LIMITED}}},
     .trace = {{24, 40, 16, LIMITED}},
     .failing = {{7, 6, 7, BRIEF}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_solve,
     .expect = expect_solve,
     .cause = cause_solve,
     .shape = shape_solve,
     .baselines = solve_baselines,
     .baseline_count = WB_COUNT(solve_baselines),
     .cpu = solve_cpu},
    {.name = "solve_float",
     .what = "the same in float",
     .number = 4,
     .dims = "rows cols every problem",
     .arrays = {{"sweeps", WB_OUT, WB_HOST, WB_I32, count_one},
                {"d_p", WB_INOUT, WB_DEVICE, WB_F32, count_cells},
                {"d_work", WB_IN, WB_DEVICE, WB_F32, count_cells},
                {"change", WB_OUT, WB_HOST, WB_F64, count_one}},
     .sizes = solve_sizes,
     .size_count = WB_COUNT(solve_sizes),
     .reach = {{{500000, 16, 7, LIMITED}}, {{16, 500000, 7, LIMITED}}},
     .trace = {{24, 40, 16, LIMITED}},
     .failing = {{7, 6, 7, BRIEF}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_solve_float,
     .expect = expect_solve_float,
     .cause = cause_solve_float,
     .shape = shape_solve_float},
    {.name = "sweeps",
     .what = "many sweeps, faster than as many copies of the plate",
     .number = 0,
     .dims = "rows cols sweeps",
     .arrays = {{"d_p", WB_INOUT, WB_DEVICE, WB_F32, count_cells},
                {"d_work", WB_IN, WB_DEVICE, WB_F32, count_cells}},
     .sizes = sweeps_sizes,
     .size_count = WB_COUNT(sweeps_sizes),
     .timed = {{8192, 8192, 16}},
     .reach = {{{46349, 46351, 1}}, {{500000, 16, 8}}, {{16, 500000, 8}}},
     .trace = {{130, 132, 16}},
     .special = WB_NAN,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_sweeps,
     .expect = expect_sweeps,
     .cause = cause_sweeps,
     .bytes = bytes_sweeps,
     .no_ceiling = 1,
     .baselines = sweeps_baselines,
     .baseline_count = WB_COUNT(sweeps_baselines),
     .cpu = sweeps_cpu,
     .cpu_size = {{8192, 8192, 4}}},
};

static const wb_lesson lesson = {.name = "lesson08",
                                 .title = "jacobi",
                                 .tasks = tasks,
                                 .task_count = WB_COUNT(tasks),
                                 .picture = picture_of_plate};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
