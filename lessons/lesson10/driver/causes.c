/* causes.c: see causes.h. Each known mistake has a value of its own, which is compared with the result. */
#include "causes.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int is(const wrong *w, long double value) { return fabsl(w->got - value) <= 4 * w->tolerance; }

/* Never written: still the harness's bytes 0xFF. Any other NaN was computed. */
static int computed_nan(double got) {
  uint64_t bits;
  memcpy(&bits, &got, sizeof bits);
  return isnan(got) && bits != UINT64_MAX;
}

#define FEW_PLACES 64 /* of d_work: with all of them one would fit by chance */

/* Whether so many numbers of about `scale` are so few that hardly one of them fits by chance. */
static int excludes_chance(const wrong *w, double scale, int numbers) {
  return w->tolerance * numbers < 1e-6 * fabs(scale);
}

/* What d_work held before the call is in the result, times `scale`: a number of it, or all from one on. */
static const char *cause_of_before(const wrong *w, double scale) {
  static char sentence[200];
  const double more = w->got - w->right;
  double sum = 0;
  for (int k = 0; k < FEW_PLACES && excludes_chance(w, scale, FEW_PLACES); k++) {
    if (fabs(more - scale * w->before[k]) > 4 * w->tolerance) continue;
    snprintf(sentence, sizeof sentence,
             "it is too large by what d_work[%d] held before the call: set it to 0 before the kernel adds to "
             "it",
             k);
    return sentence;
  }
  for (int k = WORK_COUNT - 1; k > 0 && excludes_chance(w, scale, WORK_COUNT); k--) {
    sum += scale * w->before[k];
    if (fabs(more - sum) > 4 * w->tolerance + 1e-13 * fabs(sum)) continue;
    snprintf(
        sentence, sizeof sentence,
        "d_work from d_work[%d] to its end is in it, as it was before the call: add up only what the call "
        "wrote there",
        k);
    return sentence;
  }
  return NULL;
}

static const char *cause_of_any(const wrong *w) {
  if (computed_nan(w->got))
    return w->right == 0
               ? "it is not a number: for no cells the width of a cell is infinite, and infinity times 0 "
                 "is not a number"
               : "it is not a number: 0 / 0, or an element of d_work that was never set";
  if (w->got != 0 && fabs(w->got) < 1e-300 && fabs(w->right) > 1e-6)
    return "only 4 of its 8 bytes were copied: a double has 8";
  if (is(w, 0)) return "no thread's sum reached the result";
  if (is(w, 2 * w->right)) return "it is twice the right value: is everything added twice?";
  const double area = (w->p->x1 - w->p->x0) * (w->p->y1 - w->p->y0), cells = (double)w->nx * (double)w->ny;
  const double scales[] = {1, area / cells, w->p->c, w->p->c * area / cells};
  for (size_t i = 0; i < sizeof scales / sizeof *scales && w->nx && w->ny; i++) {
    const char *before = cause_of_before(w, scales[i]);
    if (before) return before;
  }
  return NULL;
}

/* A sum of so many times as many cells, with rounding errors in proportion. */
static int is_larger(const wrong *w, points g) {
  const double times = (double)g.nx / (double)w->nx * ((double)g.ny / (double)w->ny);
  return fabsl(w->got - rule(w->p, g)) <= 4 * w->tolerance * times;
}

/* Columns or rows up to a multiple of a power of two. */
static int is_padded(const wrong *w) {
  for (size_t m = 2; m <= 4096; m *= 2) {
    points g = midpoints(w->p, w->nx, w->ny);
    g.nx = (w->nx + m - 1) / m * m;
    if (g.nx != w->nx && is_larger(w, g)) return 1;
    g.nx = w->nx;
    g.ny = (w->ny + m - 1) / m * m;
    if (g.ny != w->ny && is_larger(w, g)) return 1;
  }
  return 0;
}

/* Cells row by row, up to a multiple of a power of two. */
static int is_cut(const wrong *w) {
  const size_t cells = w->nx * w->ny;
  for (size_t m = 2; m <= WORK_COUNT && m <= cells; m *= 2) {
    const size_t kept = cells / m * m, rows = kept / w->nx;
    points whole = midpoints(w->p, w->nx, w->ny), rest = whole;
    whole.ny = rows;
    rest.nx = kept % w->nx;
    rest.ny = 1;
    rest.y += rows * rest.hy;
    if (kept != cells && is(w, rule(w->p, whole) + rule(w->p, rest))) return 1;
  }
  return 0;
}

/* One number of cells for both sides: the cells of one side have the width of the other's number. */
static const char *cause_of_side(const wrong *w) {
  const problem *p = w->p;
  const points right = midpoints(p, w->nx, w->ny);
  points g = right;
  g.hy = right.hy * w->ny / w->nx, g.y = p->y0 + g.hy / 2;
  if (is(w, rule(p, g)) || is(w, rule(p, g) * right.hy / g.hy))
    return "the height of a cell is made with nx: it is (y1 - y0) / ny, and its width (x1 - x0) / nx";
  g = right;
  g.hx = right.hx * w->nx / w->ny, g.x = p->x0 + g.hx / 2;
  if (is(w, rule(p, g)) || is(w, rule(p, g) * right.hx / g.hx))
    return "the width of a cell is made with ny: it is (x1 - x0) / nx, and its height (y1 - y0) / ny";
  return NULL;
}

/* Whether the value is the sum of all columns from t on, for each thread t of a block; or of rows. */
static int goes_on_by_one(const wrong *w, int by_rows) {
  const points all = midpoints(w->p, w->nx, w->ny);
  const size_t most = by_rows ? w->ny : w->nx;
  long double sum = 0;
  for (size_t t = 0; t < most && t < 1024; t++) {
    points from = all;
    if (by_rows)
      from.y += t * all.hy, from.ny -= t;
    else
      from.x += t * all.hx, from.nx -= t;
    sum += rule(w->p, from);
    if (t > 0 && is(w, sum)) return 1;
  }
  return 0;
}

/* The sum where a thread's columns are `apart`, and not as many as the block has threads. */
static long double sum_of_columns(const wrong *w, size_t apart) {
  const points all = midpoints(w->p, w->nx, w->ny);
  long double sum = 0;
  for (size_t t = 0; t < w->threads && t < w->nx; t++) {
    points own = all;
    own.x += t * all.hx;
    own.hx *= apart;
    own.nx = (w->nx - t + apart - 1) / apart;
    sum += rule(w->p, own) / apart;
  }
  return sum;
}

static const char *cause_of_stride(const wrong *w) {
  static char sentence[160];
  for (size_t apart = 32; apart <= 1024 && w->threads; apart *= 2) {
    if (apart == w->threads || !is(w, sum_of_columns(w, apart))) continue;
    snprintf(sentence, sizeof sentence,
             "a thread goes on by %zu columns, and a block has %u threads here: it must go on by blockDim.x",
             apart, w->threads);
    return sentence;
  }
  return NULL;
}

static const char *cause_of_steps(const wrong *w) {
  const char *stride = cause_of_stride(w);
  if (stride) return stride;
  if (goes_on_by_one(w, 0))
    return "each thread adds all columns from its own on: its loop goes on by one column, and must go on by "
           "blockDim.x";
  if (goes_on_by_one(w, 1))
    return "each block adds all rows from its own on: its loop goes on by one row, and must go on by "
           "gridDim.x";
  return NULL;
}

#define MOST_LEFT 4096 /* columns or rows that may be left out at the end */

/* Several columns or rows are missing at the end. */
static const char *cause_of_end(const wrong *w) {
  static char sentence[120];
  const points all = midpoints(w->p, w->nx, w->ny);
  for (int rows = 0; rows <= 1; rows++) {
    const size_t there = rows ? w->ny : w->nx;
    for (size_t left = 2; left < there && left <= MOST_LEFT; left++) {
      points kept = all;
      kept.nx -= rows ? 0 : left;
      kept.ny -= rows ? left : 0;
      if (!is(w, rule(w->p, kept))) continue;
      snprintf(sentence, sizeof sentence, "the last %zu of the %zu %s are missing", left, there,
               rows ? "rows" : "columns");
      return sentence;
    }
  }
  return NULL;
}

/* The rule with other points, if it gives this value. */
static const char *cause_of_points(const wrong *w) {
  const problem *p = w->p;
  const points right = midpoints(p, w->nx, w->ny);
  const long double hx = right.hx, hy = right.hy;
  points g = right;
  g.x = p->x0, g.y = p->y0;
  if (is(w, rule(p, g)))
    return "it is the sum over the corners of the cells at (x0, y0): 0.5 is missing in x and in y";
  g.x = p->x0, g.y = right.y;
  if (is(w, rule(p, g))) return "it is the sum over the left edges of the cells: 0.5 is missing in x";
  g.x = right.x, g.y = p->y0;
  if (is(w, rule(p, g))) return "it is the sum over the lower edges of the cells: 0.5 is missing in y";
  g.x = p->x0 + hx, g.y = p->y0 + hy;
  if (is(w, rule(p, g))) return "it is the sum over the corners of the cells at (x1, y1)";
  g.y = right.y;
  if (is(w, rule(p, g))) return "it is the sum over the right edges of the cells: x takes i + 0.5, not i + 1";
  g.x = right.x, g.y = p->y0 + hy;
  if (is(w, rule(p, g))) return "it is the sum over the upper edges of the cells: y takes j + 0.5, not j + 1";
  g = right;
  g.hy = hx, g.y = p->y0 + hx / 2;
  if (is(w, rule(p, g) * hy / hx)) return "y grows by hx from row to row: a cell is hy high";
  g = right;
  g.hx = hy, g.x = p->x0 + hy / 2;
  if (is(w, rule(p, g) * hx / hy)) return "x grows by hy from column to column: a cell is hx wide";
  const char *side = cause_of_side(w);
  if (side) return side;
  g = midpoints(p, w->ny, w->nx);
  if (is(w, rule(p, g))) return "it is the result for ny times nx cells: nx and ny are exchanged";
  for (int more = -1; more <= 1; more += 2) {
    for (int in = 1; in <= 3; in++) {
      if (more < 0 && ((in & 1 && w->nx == 1) || (in & 2 && w->ny == 1))) continue;
      g = right;
      g.nx += in & 1 ? (size_t)more : 0;
      g.ny += in & 2 ? (size_t)more : 0;
      if (!is(w, rule(p, g))) continue;
      if (more < 0)
        return in == 1   ? "the last column is missing"
               : in == 2 ? "the last row is missing"
                         : "the last column and row are missing";
      return in == 1   ? "there is a column too many"
             : in == 2 ? "there is a row too many"
                       : "there is a column and a row too many";
    }
  }
  if (is_padded(w))
    return "it contains points outside the rectangle: a thread without a cell must add nothing";
  if (is_cut(w)) return "the last cells are missing: their number is no multiple of that of the parts";
  const char *end = cause_of_end(w);
  if (end) return end;
  const char *steps = cause_of_steps(w);
  if (steps) return steps;
  if (is(w, rule(p, right) / (hx * hy))) return "it is the sum without the area of a cell, hx * hy";
  if (is(w, rule(p, right) / hx) || is(w, rule(p, right) / hy))
    return "it is the sum times one side of a cell: its area is hx * hy";
  if (is(w, rule(p, midpoints(p, 2 * w->nx, 2 * w->ny))))
    return "it is I(2 nx, 2 ny), the result for twice as many columns and rows";
  if (is(w, integral(p))) return "it is the integral itself, not the value of the midpoint rule";
  return NULL;
}

#define FEW 36 /* cells: cases with no more come first, and nearly all floats show there */

static const char *cause_of_turned(const wrong *w) {
  return w->p->x1 < w->p->x0 && is(w, -w->right) ? "only the sign is wrong, and x1 is below x0 here: hx is "
                                                   "negative then, and so is each cell's area"
                                                 : NULL;
}

const char *cause_of_rule(const wrong *w) {
  const char *known = cause_of_turned(w);
  if (!known) known = cause_of_any(w);
  if (!known && w->nx && w->ny) known = cause_of_points(w);
  if (known) return known;
  if (fabs(w->got - w->right) <= 3e-6 * magnitude(w->p))
    return w->nx * w->ny <= FEW
               ? "the difference is small: is every variable a double, and every constant without an f?"
               : "the difference is small, and there was none for fewer cells: do some cells have an x or y "
                 "that is not theirs, are some missing, and is every variable a double?";
  if (w->threads & (w->threads - 1))
    return "the number of threads in a block is no power of two here: does the sum of a block contain all of "
           "them?";
  if (w->threads == 1) return "the block has one thread here: does its sum arrive?";
  if ((double)w->nx * (double)w->ny >= 2147483648.0)
    return "nx * ny is more than 2^31 here: is it computed in size_t?";
  return NULL;
}

const char *cause_of_finer(const wrong *w) {
  if (is(w, rule(w->p, midpoints(w->p, w->nx, w->ny)))) return "it is I(nx, ny) again";
  if (is(w, rule(w->p, midpoints(w->p, 2 * w->nx, w->ny))) ||
      is(w, rule(w->p, midpoints(w->p, w->nx, 2 * w->ny))))
    return "only one side of the cells is halved: the finer grid has 2 nx times 2 ny cells";
  return NULL;
}

const char *cause_of_estimate(const wrong *w, double coarse, double fine) {
  const char *known = cause_of_any(w);
  if (known) return known;
  if (is(w, -w->right)) return "its sign is wrong: it is what to add to I(2 nx, 2 ny)";
  if (is(w, (long double)fine - coarse))
    return "it is the whole difference of the two results: which part of it is "
           "the error of the finer one, if that is a quarter of the other's?";
  if (is(w, ((long double)fine - coarse) / 2) || is(w, ((long double)fine - coarse) / 4))
    return "it is a half or a quarter of the difference: with a quarter of the error left, the difference is "
           "three quarters of the first error";
  if (is(w, ((long double)fine - coarse) / 15))
    return "it is a 15th of the difference: that is for a rule whose error falls to a 16th";
  if (is(w, ((long double)fine - coarse) * 4 / 3))
    return "it is the error of I(nx, ny), not of I(2 nx, 2 ny)";
  if (is(w, integral(w->p))) return "it is the integral, not the error";
  if (is(w, fine + w->right)) return "it is the better value of the integral, not the error";
  return NULL;
}

/* The mean of f at points that make other numbers of the four words: of the upper words alone, with 32
 * bits; or both numbers of the same two words. */
static long double mean_otherwise(const wrong *w, uint64_t seed, uint64_t first, size_t n, int upper_alone) {
  const problem *p = w->p;
  long double sum = 0;
  for (uint64_t k = first; k < first + n; k++) {
    uint32_t c[4] = {(uint32_t)k, (uint32_t)(k >> 32), 0, 0};
    philox(c, seed, 0);
    const double same = ldexp((double)(((uint64_t)c[1] << 32 | c[0]) >> 11), -53);
    const double u = upper_alone ? ldexp(c[1], -32) : same, v = upper_alone ? ldexp(c[3], -32) : same;
    sum += p->c * sin(p->a * (p->x0 + u * (p->x1 - p->x0)) + p->b * (p->y0 + v * (p->y1 - p->y0)) + p->d);
  }
  return sum * (p->x1 - p->x0) * (p->y1 - p->y0) / n;
}

/* The key of the second round. */
static uint64_t grown(uint64_t seed) {
  const uint32_t k0 = (uint32_t)seed + 0x9E3779B9, k1 = (uint32_t)(seed >> 32) + 0xBB67AE85;
  return (uint64_t)k1 << 32 | k0;
}

const char *cause_of_mean(const wrong *w, uint64_t seed, uint64_t first, size_t n) {
  static const struct {
    int ways;
    const char *cause;
  } mistakes[] = {
      {NINE_ROUNDS, "these are the points of nine rounds of philox, not of ten"},
      {KEY_STAYS, "these are the points of rounds that all have the same key"},
      {LOW_WORD_ALONE, "these are the points with their numbers cut to 32 bits"},
      {WORDS_EXCHANGED, "these are the points with w0 above w1, and w2 above w3"},
      {X_IS_Y, "these are the points with u and v exchanged"},
      {HALF_THE_BITS, "these are points of 32 bits, from w0 and w1: a point takes 53 of 64 bits"},
      {SEED_CUT, "these are the points of the seed cut to 32 bits"},
      {HALVES_EXCHANGED, "these are the points with the upper and lower halves of the products exchanged"},
      {STEPS_EXCHANGED,
       "these are the points of keys that grow by each other's number: k0 grows by 0x9E3779B9"},
      {FACTORS_EXCHANGED, "these are the points with the factors of p and q exchanged: p is 0xD2511F53 * c0"},
      {Y_BY_WIDTH, "these are the points with y = y0 + v * (x1 - x0): the height is y1 - y0"},
      {X_BY_HEIGHT, "these are the points with x = x0 + u * (y1 - y0): the width is x1 - x0"},
  };
  const char *known = cause_of_turned(w);
  if (!known) known = cause_of_any(w);
  if (known || n == 0) return known;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++)
    if (is(w, mean_of_points(w->p, seed, first, n, mistakes[i].ways))) return mistakes[i].cause;
  if (is(w, mean_otherwise(w, seed, first, n, 1)))
    return "these are points of 32 bits, from w1 and w3 alone: a point takes 53 of 64 bits";
  if (is(w, mean_otherwise(w, seed, first, n, 0)))
    return "these are the points with u for v: y is made from w2 and w3";
  if (is(w, mean_of_points(w->p, seed, 0, n, 0)))
    return "these are the points from number 0 on, not from first";
  if (is(w, mean_of_points(w->p, grown(seed), first, n, 0)))
    return "these are the points of keys that grow before the first round, too: it takes the key as it is";
  if (is(w, mean_of_points(w->p, first, seed, n, 0))) return "seed and first are exchanged";
  if (is(w, mean_of_points(w->p, seed, first + 1, n, 0))) return "these are the points from first + 1 on";
  if (is(w, w->right / ((w->p->x1 - w->p->x0) * (w->p->y1 - w->p->y0))))
    return "it is the mean of f without the area of the rectangle";
  if (fabs(w->got - w->right * (double)n) <= 4 * w->tolerance * (double)n)
    return "the sum is not divided by n";
  if (is(w, w->right * (double)n / (double)(n + 1)) ||
      (n > 1 && is(w, w->right * (double)n / (double)(n - 1))))
    return "the sum is divided by one more or one less than n";
  if (fabs(w->got - w->right) <= 3e-6 * magnitude(w->p))
    return "the difference is small: is every variable a double, and every constant without an f?";
  const double divisor = round(w->right * (double)n / w->got);
  if (divisor >= 1 && is(w, w->right * (double)n / divisor))
    return "the sum is not divided by n, but by another number";
  return "these are other points than those of integration.h: does philox give its three results? Does a "
         "point depend on its number alone? Are u, v, x and y made as there?";
}
