/*
 * lesson10.c: does lesson10's driver name a mistake for every problem? The wrong sums are added up here cell by
 * cell, with the tolerance of the driver, and the words of the cause must be those of this mistake. Prints what
 * it expected where they are not. The problems are random; the seed is the program's argument.
 */
#include "causes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static double between(double low, double high) { return low + (high - low) * (rand() / (double)RAND_MAX); }
static double number(void) { return (rand() % 2 ? 1 : -1) * between(0.5, 2); }

static problem any_problem(void) {
  problem p = {number(), number(), number(), number(), number(), 0, number(), 0};
  p.x1 = p.x0 + between(0.5, 2);
  p.y1 = p.y0 + between(0.5, 2);
  return p;
}

static double work[WORK_COUNT]; /* before the call */

/* How a wrong sum is made. */
typedef struct way {
  const char *says;
  double hx, hy;            /* as parts of the right ones */
  size_t columns;           /* up to a multiple of so many; 0: as many as there are */
  int area_of_right;        /* the area of a cell is the right one */
  unsigned threads, blocks; /* of loops that go on by one; 0: every cell is added once */
} way;

static double sum_of(const problem *p, size_t nx, size_t ny, const way *how) {
  const long double hx = ((long double)p->x1 - p->x0) / nx, hy = ((long double)p->y1 - p->y0) / ny;
  const size_t columns = how->columns ? (nx + how->columns - 1) / how->columns * how->columns : nx;
  double sum = 0;
  for (size_t j = 0; j < ny; j++)
    for (size_t i = 0; i < columns; i++) {
      const size_t in_row = how->threads ? (i + 1 < how->threads ? i + 1 : how->threads) : 1;
      const size_t rows = how->blocks ? (j + 1 < how->blocks ? j + 1 : how->blocks) : 1;
      const double x = p->x0 + (double)((i + 0.5L) * hx * how->hx);
      const double y = p->y0 + (double)((j + 0.5L) * hy * how->hy);
      sum += (double)(in_row * rows) * p->c * sin(p->a * x + p->b * y + p->d);
    }
  return (double)(sum * hx * hy * (how->area_of_right ? 1 : how->hx * how->hy));
}

static void expect_words(const char *cause, const char *says) {
  if (cause && strstr(cause, says)) return;
  printf("expected: %s\ngot: %s\n", says, cause ? cause : "nothing");
  failures++;
}

static wrong wrong_value(const problem *p, size_t nx, size_t ny, double got) {
  return (wrong){.p = p,
                 .nx = nx,
                 .ny = ny,
                 .threads = 64,
                 .got = got,
                 .right = (double)rule(p, midpoints(p, nx, ny)),
                 .tolerance = 1.001 * ldexp(1, -53) * (nx * ny + 24 + 8 * argument(p)) * magnitude(p),
                 .before = work};
}

static void try_outside(size_t nx, size_t ny) {
  const problem p = any_problem();
  const way outside = {"points outside the rectangle", 1, 1, 256, 0, 0, 0};
  const wrong value = wrong_value(&p, nx, ny, sum_of(&p, nx, ny, &outside));
  expect_words(cause_of_rule(&value), outside.says);
}

static void try_size(size_t nx, size_t ny) {
  const problem p = any_problem();
  const double wide = (double)ny / nx;
  const way ways[] = {{"the height of a cell is made with nx", 1, wide, 0, 0, 0, 0},
                      {"the height of a cell is made with nx", 1, wide, 0, 1, 0, 0},
                      {"the width of a cell is made with ny", 1 / wide, 1, 0, 0, 0, 0},
                      {"the width of a cell is made with ny", 1 / wide, 1, 0, 1, 0, 0},
                      {"adds all columns from its own on", 1, 1, 0, 0, 64, 0},
                      {"adds all rows from its own on", 1, 1, 0, 0, 0, 2}};
  for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
    const wrong value = wrong_value(&p, nx, ny, sum_of(&p, nx, ny, &ways[w]));
    expect_words(cause_of_rule(&value), ways[w].says);
  }
}

/* Blocks of 64 threads, whose columns are `apart`; y that is made with the width; and a small difference. */
static void try_columns(size_t nx, size_t ny, size_t apart) {
  const problem p = any_problem();
  const points all = midpoints(&p, nx, ny);
  double sum = 0;
  for (size_t j = 0; j < ny; j++)
    for (size_t t = 0; t < 64; t++)
      for (size_t i = t; i < nx; i += apart)
        sum += p.c * sin((double)(p.a * (all.x + i * all.hx) + p.b * (all.y + j * all.hy) + p.d));
  const wrong value = wrong_value(&p, nx, ny, (double)(sum * all.hx * all.hy));
  expect_words(cause_of_rule(&value), apart == 32 ? "goes on by 32 columns, and a block has 64 threads"
                                                  : "goes on by 256 columns, and a block has 64 threads");
}

static void try_sides(size_t n) {
  const problem p = any_problem();
  const wrong value = {.p = &p,
                       .got = (double)mean_of_points(&p, 7, 3, n, Y_BY_WIDTH),
                       .right = (double)mean_of_points(&p, 7, 3, n, 0),
                       .tolerance = 1e-13,
                       .before = work};
  expect_words(cause_of_mean(&value, 7, 3, n), "y = y0 + v * (x1 - x0)");
}

static void try_small(size_t nx, size_t ny, const char *says) {
  const problem p = any_problem();
  const double right = (double)rule(&p, midpoints(&p, nx, ny));
  const wrong value = wrong_value(&p, nx, ny, right + 1e-7 * magnitude(&p));
  expect_words(cause_of_rule(&value), says);
}

/* The columns of a row but the last ones; and what d_work held before, from a place on to its end. */
static void try_left_out(size_t nx, size_t ny, size_t left) {
  const problem p = any_problem();
  points kept = midpoints(&p, nx, ny);
  kept.nx -= left;
  const wrong value = wrong_value(&p, nx, ny, (double)rule(&p, kept));
  char says[80];
  snprintf(says, sizeof says, "the last %zu of the %zu columns are missing", left, nx);
  expect_words(cause_of_rule(&value), says);
}

static void try_before(size_t nx, size_t ny, int from) {
  const problem p = any_problem();
  const points all = midpoints(&p, nx, ny);
  double sum = 0;
  for (int k = from; k < WORK_COUNT; k++) sum += work[k];
  const double right = (double)rule(&p, all), area = (double)(all.hx * all.hy);
  const wrong rest = wrong_value(&p, nx, ny, right + sum * area);
  expect_words(cause_of_rule(&rest), "as it was before the call");
  const wrong one = wrong_value(&p, nx, ny, right + work[1] * area);
  expect_words(cause_of_rule(&one), "by what d_work[1] held before the call");
}

/* A key that grows before the first round, too. */
static void try_points(size_t n) {
  const problem p = any_problem();
  const uint64_t seed = (uint64_t)rand() << 33 ^ (uint64_t)rand(), first = (uint64_t)rand();
  const uint32_t k0 = (uint32_t)seed + 0x9E3779B9, k1 = (uint32_t)(seed >> 32) + 0xBB67AE85;
  const wrong value = {.p = &p,
                       .got = (double)mean_of_points(&p, (uint64_t)k1 << 32 | k0, first, n, 0),
                       .right = (double)mean_of_points(&p, seed, first, n, 0),
                       .tolerance = 1e-13,
                       .before = work};
  expect_words(cause_of_mean(&value, seed, first, n), "keys that grow before the first round");
}

int main(int count, char **argument) {
  srand(count > 1 ? (unsigned)atoi(argument[1]) : 1);
  for (int k = 0; k < WORK_COUNT; k++) work[k] = number();
  for (int turn = 0; turn < 100; turn++) {
    try_left_out(2051, 3, 3);
    try_before(1, 1, 1);
    try_before(3, 2, 6);
    try_outside(1, 1);
    try_size(3, 2);
    try_outside(31, 33);
    try_size(31, 33);
    try_size(35, 30);
    try_points(1);
    try_points(99);
    try_columns(300, 33, 256);
    try_columns(300, 33, 32);
    try_sides(1);
    try_sides(99);
    try_small(3, 2, "is every variable a double");
    try_small(255, 257, "have an x or y that is not theirs");
  }
  return failures > 0;
}
