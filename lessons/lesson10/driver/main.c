/*
 * lesson10, integration: the driver. It is the lesson's specification: which functions, at which sizes, what
 * is right. You don't change this file; integration.h says what you write in integration.cu.
 */
#include "integration.h"
#include "wb.h"
#include "baselines.h"
#include "calls.h"
#include "causes.h"
#include "cpu.h"
#include "inputs.h"
#include "oracle.h"

#include <math.h>

static size_t count_numbers(const wb_case *c) { return (void)c, NUMBERS; }
static size_t count_work(const wb_case *c) { return (void)c, WORK_COUNT; }
static size_t count_one(const wb_case *c) { return (void)c, 1; }
static size_t count_three(const wb_case *c) { return (void)c, 3; }
static size_t count_grids(const wb_case *c) { return c->size.n[GRIDS]; }

/* ---- The problem ---- */

/* The random numbers are +-0.5 to 2. The rectangle's sides are as long as two of them. Where the first
 * number of a size is a multiple of 4 and not 0, the rectangle goes from x0 down to x1: each cell counts
 * negatively. */
static int shape_problem(const wb_case *c, int array, void *values) {
  const size_t first = c->size.n[0];
  if (array != PROBLEM) return 0;
  problem *p = values;
  p->x1 = p->x0 + (first && first % 4 == 0 ? -1 : 1) * fabs(p->x1);
  p->y1 = p->y0 + fabs(p->y1);
  return 1;
}

/* ---- What is right ---- */

/*
 * A value of f is off by two roundings of the sine and one of c, and by those of its argument, some eight of
 * the largest |ax| + |by| + |d|. On its way into the sum it goes through additions, each of which rounds: a
 * thread's part of the points, then the block's threads, then the blocks; here with room to spare, but no
 * more than there are points. The error is at most so many roundings times the sum of the magnitudes (Higham,
 * Accuracy and Stability of Numerical Algorithms, 4.2). It does not depend on how small the integral is, for
 * the parts may cancel each other.
 */
static double tolerance(const problem *p, double additions) {
  return 1.001 * WB_EPS64 * (additions + 8 * argument(p) + 16) * magnitude(p);
}

static double additions(size_t nx, size_t ny, double grid_threads) {
  const double cells = (double)nx * (double)ny;
  return fmin(cells + 8, 4096 + (double)nx + (double)ny + 2 * cells / grid_threads);
}

/* A sine has a formula for its sum; where some values count as 0, the points are visited. */
static zeroed_sum sum_of_cells(const wb_case *c, size_t nx, size_t ny) {
  const problem p = problem_of(c);
  const points cells = midpoints(&p, nx, ny);
  return c->zeros.high > 0 ? rule_with_zeros(&p, cells, &c->zeros) : (zeroed_sum){rule(&p, cells), 0};
}

static wb_expected sum_over(const wb_case *c, size_t nx, size_t ny, double grid_threads) {
  const problem p = problem_of(c);
  const zeroed_sum sum = sum_of_cells(c, nx, ny);
  return (wb_expected){.value = (double)sum.value,
                       .tolerance = nx && ny ? tolerance(&p, additions(nx, ny, grid_threads)) + sum.open : 0};
}

static double threads_of(const wb_case *c) { return (double)(c->size.n[BLOCKS] * c->size.n[THREADS]); }

static wb_expected expect_integral(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  return sum_over(c, c->size.n[NX], c->size.n[NY], threads_of(c));
}

/* Whatever the grid, all of it in 256 threads. */
static wb_expected expect_any_grid(const wb_case *c, int array, size_t i) {
  (void)i;
  if (array == DIFFERENT) return (wb_expected){.value = 0, .tolerance = 0};
  return sum_over(c, c->size.n[NX], c->size.n[NY], 256);
}

/* Two results, and a third of their difference: the error of the midpoint rule is in proportion to the square
 * of a cell's sides, so I(2n)'s is a quarter of I(n)'s, and their difference is three of it. */
static wb_expected expect_richardson(const wb_case *c, int array, size_t i) {
  (void)array;
  const size_t nx = c->size.n[NX], ny = c->size.n[NY];
  const wb_expected coarse = sum_over(c, nx, ny, threads_of(c));
  const wb_expected fine = sum_over(c, 2 * nx, 2 * ny, threads_of(c));
  const long double difference = sum_of_cells(c, 2 * nx, 2 * ny).value - sum_of_cells(c, nx, ny).value;
  if (i < 2) return i ? fine : coarse;
  return (wb_expected){.value = (double)(difference / 3),
                       .tolerance = (coarse.tolerance + fine.tolerance) / 3};
}

/*
 * Up to MANY points the harness draws them, too. Of more it knows how far their mean may be from the
 * integral: the standard error is the deviation of f over the square root of n, and one result in 500 million
 * is more than six of them away.
 */
#define MANY (1 << 20)

static wb_expected expect_mean(const wb_case *c, int array, size_t i) {
  (void)i;
  if (array == DIFFERENT) return (wb_expected){.value = 0, .tolerance = 0};
  const problem p = problem_of(c);
  const size_t n = c->size.n[N];
  if (n > MANY) {
    const double area = fabs((p.x1 - p.x0) * (p.y1 - p.y0));
    return (wb_expected){.value = (double)integral(&p),
                         .tolerance = 6 * area * (double)deviation(&p) / sqrt((double)n)};
  }
  const zeroed_sum mean = mean_with_zeros(&p, seed_of(c), c->size.n[FIRST], n, &c->zeros);
  return (wb_expected){.value = (double)mean.value,
                       .tolerance = n ? tolerance(&p, additions(n, 1, 256)) + mean.open : 0};
}

/*
 * The values of f that count as 0 in two more calls: few of them, which are near the value at a random place, and
 * then all that are larger, too. A result that is not made of all values of f does not follow. Where few count as 0,
 * a look at some values of f shows nothing unusual.
 */
static int zeros_of_f(const wb_case *c, int which, wb_window *zeros) {
  const problem p = problem_of(c);
  const double u = (c->param[0] - 0.5) / 1.5, v = (c->param[1] - 0.5) / 1.5;
  const double there = fabs(f_at(&p, p.x0 + u * (p.x1 - p.x0), p.y0 + v * (p.y1 - p.y0)));
  *zeros = (wb_window){.low = fmax(0, there - 0x1p-11 * fabs(p.c)), .high = there + 0x1p-11 * fabs(p.c)};
  if (which == 1) zeros->high = INFINITY;
  return which < 2;
}

/* ---- What may be wrong ---- */

static wrong wrong_of(const wb_case *c, const problem *p, wb_expected right, double got) {
  return (wrong){.p = p,
                 .got = got,
                 .right = right.value,
                 .tolerance = right.tolerance,
                 .nx = c->size.n[NX],
                 .ny = c->size.n[NY],
                 .before = wb_f64(c, D_WORK)};
}

static const char *cause_integral(const wb_case *c, int array, size_t i, double got) {
  const problem p = problem_of(c);
  wrong w = wrong_of(c, &p, expect_integral(c, array, i), got);
  w.threads = (unsigned)c->size.n[THREADS];
  return cause_of_rule(&w);
}

static const char *cause_fast(const wb_case *c, int array, size_t i, double got) {
  const problem p = problem_of(c);
  const wrong w = wrong_of(c, &p, expect_any_grid(c, array, i), got);
  return cause_of_rule(&w);
}

static const char *cause_of_bits(const wb_case *c, size_t i) {
  const grid a = grid_of(c, 0), b = grid_of(c, i);
  return a.blocks == b.blocks && a.threads == b.threads
             ? "the same call gave other bits the second time: the order of additions depends on which "
               "thread comes "
               "first"
             : "another grid gave other bits: which thread adds what, and in which order, depends on the "
               "grid";
}

static const char *cause_same_bits(const wb_case *c, int array, size_t i, double got) {
  return array == DIFFERENT ? cause_of_bits(c, i) : cause_fast(c, array, i, got);
}

static const char *cause_richardson(const wb_case *c, int array, size_t i, double got) {
  const problem p = problem_of(c);
  wrong w = wrong_of(c, &p, expect_richardson(c, array, i), got);
  const double coarse = expect_richardson(c, array, 0).value, fine = expect_richardson(c, array, 1).value;
  if (i == 2) return cause_of_estimate(&w, coarse, fine);
  const char *finer = i == 1 && w.nx && w.ny ? cause_of_finer(&w) : NULL;
  if (finer) return finer;
  if (fabs(got - coarse - fine) <= 2 * w.tolerance)
    return "it is the sum of both results: give each its own place";
  if (i == 1) w.nx *= 2, w.ny *= 2;
  w.threads = (unsigned)c->size.n[THREADS];
  return cause_of_rule(&w);
}

static const char *cause_mean(const wb_case *c, int array, size_t i, double got) {
  if (array == DIFFERENT) return cause_of_bits(c, i);
  const problem p = problem_of(c);
  const wrong w = wrong_of(c, &p, expect_mean(c, array, i), got);
  return c->size.n[N] > MANY ? NULL : cause_of_mean(&w, seed_of(c), c->size.n[FIRST], c->size.n[N]);
}

/* ---- Sizes ---- */

/* No cells; one; fewer cells than threads; one less and one more than a power of two; one column, one row;
 * blocks of 1, 96, 1000 and 1024 threads, which no tree for a power of two adds up. */
static const wb_size grid_sizes[] = {{{1, 1, 1, 32}},       {{3, 2, 1, 64}},       {{31, 33, 2, 64}},
                                     {{64, 48, 8, 256}},    {{255, 257, 16, 128}}, {{0, 0, 1, 32}},
                                     {{0, 5, 2, 64}},       {{7, 0, 3, 128}},      {{1, 1, 4, 256}},
                                     {{1, 1031, 16, 64}},   {{1027, 1, 16, 64}},   {{35, 31, 3, 96}},
                                     {{1023, 3, 5, 1000}},  {{127, 129, 2, 1}},    {{300, 301, 3, 1024}},
                                     {{1023, 1025, 8, 96}}, {{65539, 2, 2, 64}},   {{2, 65539, 2, 64}}};
static const wb_size same_bits_sizes[] = {{{1, 1, 3}},    {{3, 2, 6}},     {{31, 33, 6}},   {{64, 48, 6}},
                                          {{0, 0, 2}},    {{0, 5, 2}},     {{7, 0, 2}},     {{1, 1031, 6}},
                                          {{1027, 1, 6}}, {{255, 257, 6}}, {{511, 1025, 6}}};
static const wb_size richardson_sizes[] = {{{1, 1, 1, 32}},    {{3, 2, 1, 64}},       {{31, 33, 2, 64}},
                                           {{64, 48, 8, 256}}, {{0, 0, 1, 32}},       {{0, 5, 2, 64}},
                                           {{7, 0, 3, 128}},   {{1, 515, 16, 64}},    {{35, 31, 3, 96}},
                                           {{127, 65, 2, 1}},  {{150, 151, 3, 1024}}, {{255, 257, 8, 96}}};
static const wb_size point_sizes[] = {{{1, 0, 3}},
                                      {{1, 7, 2}},
                                      {{1023, 5, 6}},
                                      {{0, 0, 2}},
                                      {{4, 4294967295, 2}},
                                      {{1025, 4294966796, 6}},
                                      {{4099, 1000000007, 6}},
                                      {{100003, 12345678901, 6}}};
static const wb_size fast_sizes[] = {{{1, 1}},     {{3, 2}},       {{31, 33}},  {{64, 48}},   {{0, 0}},
                                     {{0, 5}},     {{7, 0}},       {{1, 1031}}, {{1027, 1}},  {{255, 257}},
                                     {{300, 301}}, {{1023, 1025}}, {{2047, 3}}, {{65539, 2}}, {{1, 600011}},
                                     {{8192, 1}},  {{1, 8192}}};

/* ---- The grids that are asked for ---- */

/* Of the launches one has this shape; others may add up what it left. */
static int ask(wb_asked *asked, size_t blocks, size_t threads) {
  *asked = (wb_asked){.grid = {(unsigned)blocks}, .threads = (unsigned)threads, .one = 1};
  return 1;
}

static int asks_grid(const wb_case *c, int which, wb_asked *asked) {
  return which == 0 && c->size.n[NX] && c->size.n[NY] && ask(asked, c->size.n[BLOCKS], c->size.n[THREADS]);
}

static int asks_grids(const wb_case *c, int which, wb_asked *asked) {
  const grid g = grid_of(c, (size_t)which);
  return (size_t)which < c->size.n[GRIDS] && c->size.n[NX] && c->size.n[NY] &&
         ask(asked, g.blocks, g.threads);
}

static int asks_grids_for_points(const wb_case *c, int which, wb_asked *asked) {
  const grid g = grid_of(c, (size_t)which);
  return (size_t)which < c->size.n[GRIDS] && c->size.n[N] && ask(asked, g.blocks, g.threads);
}

/* ---- Speed ---- */

static const wb_baseline sines[] = {{"sines", "f alone, its arguments in registers", sines_call, sines_work}};

static double flops_integral(const wb_case *c) {
  return FLOPS_OF_F * (double)c->size.n[NX] * (double)c->size.n[NY];
}
static double flops_richardson(const wb_case *c) { return 5 * flops_integral(c); }
static double flops_points(const wb_case *c) { return FLOPS_OF_F * (double)c->size.n[N]; }

/* ---- Calls of f ---- */

static uint64_t calls_cells(const wb_case *c) { return (uint64_t)c->size.n[NX] * c->size.n[NY]; }
static uint64_t calls_grids(const wb_case *c) { return c->size.n[GRIDS] * calls_cells(c); }
static uint64_t calls_both(const wb_case *c) { return 5 * calls_cells(c); }
static uint64_t calls_points(const wb_case *c) { return c->size.n[GRIDS] * (uint64_t)c->size.n[N]; }

/* ---- The table ---- */

#define INPUTS                                                                                               \
  {"problem", WB_IN, WB_HOST, WB_F64, count_numbers}, { "d_work", WB_IN, WB_DEVICE, WB_F64, count_work }

static const wb_task tasks[] = {
    {.name = "integrate",
     .what = "the midpoint rule, one atomic for each block",
     .number = 1,
     .dims = "nx ny blocks threads",
     .arrays = {INPUTS, {"h_integral", WB_OUT, WB_PINNED, WB_F64, count_one}},
     .sizes = grid_sizes,
     .size_count = WB_COUNT(grid_sizes),
     .timed = {{32768, 32768, 4096, 256}},
     .large = {{131071, 81931, 4096, 256}},
     .reach = {{{NX_BEYOND, NY_BEYOND, 32768, 8}}},
     .given_calls = calls_cells,
     .zeros = zeros_of_f,
     .trace = {{1001, 333, 24, 96}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_integrate,
     .asks = asks_grid,
     .expect = expect_integral,
     .shape = shape_problem,
     .cause = cause_integral,
     .flops = flops_integral,
     .baselines = sines,
     .baseline_count = WB_COUNT(sines),
     .cpu = integral_cpu,
     .cpu_size = {{4096, 4096, 1, 1}}},
    {.name = "integrate_same_bits",
     .what = "the same bits in every run, and for every grid",
     .number = 2,
     .dims = "nx ny grids",
     .arrays = {INPUTS,
                {"h_integral", WB_OUT, WB_PINNED, WB_F64, count_one},
                {"bits_that_differ", WB_OUT, WB_HOST, WB_U32, count_grids}},
     .sizes = same_bits_sizes,
     .size_count = WB_COUNT(same_bits_sizes),
     .timed = {{32768, 32768, 1}},
     .large = {{131071, 81931, 1}},
     .reach = {{{NX_BEYOND, NY_BEYOND, 1}}},
     .given_calls = calls_grids,
     .zeros = zeros_of_f,
     .trace = {{1001, 333, 3}},
     .same_bits = {{255, 257, 1}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_same_bits,
     .asks = asks_grids,
     .expect = expect_any_grid,
     .shape = shape_problem,
     .cause = cause_same_bits,
     .flops = flops_integral,
     .baselines = sines,
     .baseline_count = WB_COUNT(sines),
     .cpu = same_bits_cpu,
     .cpu_size = {{4096, 4096, 1}}},
    {.name = "richardson",
     .what = "two grids, and an estimate of the error",
     .number = 3,
     .dims = "nx ny blocks threads",
     .arrays = {INPUTS, {"h_results", WB_OUT, WB_PINNED, WB_F64, count_three}},
     .sizes = richardson_sizes,
     .size_count = WB_COUNT(richardson_sizes),
     .large = {{65537, 40961, 4096, 256}},
     .reach = {{{NX_BEYOND, NY_BEYOND, 32768, 8}}},
     .given_calls = calls_both,
     .zeros = zeros_of_f,
     .trace = {{301, 222, 24, 96}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_richardson,
     .asks = asks_grid,
     .expect = expect_richardson,
     .shape = shape_problem,
     .cause = cause_richardson,
     .flops = flops_richardson},
    {.name = "monte_carlo",
     .what = "random points by number: the same for any number of threads",
     .number = 4,
     .dims = "n first grids",
     .arrays = {INPUTS,
                {"h_estimate", WB_OUT, WB_PINNED, WB_F64, count_one},
                {"bits_that_differ", WB_OUT, WB_HOST, WB_U32, count_grids}},
     .sizes = point_sizes,
     .size_count = WB_COUNT(point_sizes),
     .timed = {{1 << 28, 1000003, 1}},
     .large = {{2147483659, 4294967290, 1}},
     .reach = {{{N_BEYOND, 4294967290, 1}}},
     .given_calls = calls_points,
     .zeros = zeros_of_f,
     .trace = {{300007, 4294000000, 3}},
     .same_bits = {{30011, 4294000000, 1}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_monte_carlo,
     .asks = asks_grids_for_points,
     .expect = expect_mean,
     .shape = shape_problem,
     .cause = cause_mean,
     .flops = flops_points,
     .baselines = sines,
     .baseline_count = WB_COUNT(sines),
     .cpu = points_cpu,
     .cpu_size = {{1 << 23, 1000003, 1}}},
    {.name = "integrate_fast",
     .what = "as fast as the device computes f",
     .number = 0,
     .dims = "nx ny",
     .arrays = {INPUTS, {"h_integral", WB_OUT, WB_PINNED, WB_F64, count_one}},
     .sizes = fast_sizes,
     .size_count = WB_COUNT(fast_sizes),
     .timed = {{102400, 102400}},
     .large = {{537, 20000011}}, /* more rows than 65535 blocks of 256 */
     .reach = {{{3, 20000000}}, {{20000000, 3}}, {{NX_BEYOND, NY_BEYOND}}},
     .given_calls = calls_cells,
     .zeros = zeros_of_f,
     .trace = {{1001, 333}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_fast,
     .expect = expect_any_grid,
     .shape = shape_problem,
     .cause = cause_fast,
     .flops = flops_integral,
     .baselines = sines,
     .baseline_count = WB_COUNT(sines),
     .cpu = integral_cpu,
     .cpu_size = {{4096, 4096}}},
};

static const wb_lesson lesson = {
    .name = "lesson10", .title = "integration", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
