/*
 * oracle.h: the right answers of lesson10. f is a sine of ax + by + d, so both the integral and the sum over
 * any grid of points have a short formula, and no point needs to be visited. The learner's code may not use
 * that.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "integration.h"
#include "wb.h"

/* Points in columns and rows: point (i, j) is (x + i * hx, y + j * hy), i < nx, j < ny. */
typedef struct points {
  size_t nx, ny;
  long double x, y, hx, hy;
} points;

/* The midpoints of nx times ny cells. */
points midpoints(const problem *p, size_t nx, size_t ny);

/* hx * hy * the sum of f over the points; 0 where there are none. */
long double rule(const problem *p, points g);

/* f at a place, off by some roundings. */
double f_at(const problem *p, long double x, long double y);

/* A sum of values of which those in a window count as 0. `open`: how much more or less it may be, because it cannot
 * know whether some values are in the window. */
typedef struct zeroed_sum {
  long double value;
  double open;
} zeroed_sum;

/* rule and mean_of_points where some values count as 0. */
zeroed_sum rule_with_zeros(const problem *p, points g, const wb_window *zeros);
zeroed_sum mean_with_zeros(const problem *p, uint64_t seed, uint64_t first, size_t n, const wb_window *zeros);

/* The integral itself, and how far f spreads around its mean: its standard deviation. */
long double integral(const problem *p);
long double deviation(const problem *p);

/* Area of the rectangle times c: no sum of |f| times the area of a cell is larger. */
double magnitude(const problem *p);

/* The largest |ax| + |by| + |d| in the rectangle: a sine's argument is rounded in proportion. */
double argument(const problem *p);

/* Ways to draw the points of monte_carlo: 0 is the right one, the others are mistakes. */
enum {
  NINE_ROUNDS = 1,
  KEY_STAYS = 2,           /* the same key in all rounds */
  LOW_WORD_ALONE = 4,      /* the number of the point modulo 2^32 */
  WORDS_EXCHANGED = 8,     /* w0 above w1 */
  X_IS_Y = 16,             /* u for y, v for x */
  HALF_THE_BITS = 32,      /* u from w0 alone, v from w1 */
  SEED_CUT = 64,           /* the seed modulo 2^32 */
  HALVES_EXCHANGED = 128,  /* upper and lower halves of p and q */
  STEPS_EXCHANGED = 256,   /* what k0 and k1 grow by */
  FACTORS_EXCHANGED = 512, /* those of p and q */
  Y_BY_WIDTH = 1024,       /* the height of the rectangle is its width */
  X_BY_HEIGHT = 2048,
};

/* Philox 4x32 on word[4] in place. */
void philox(uint32_t word[4], uint64_t key, int ways);

/* f at point number k of a seed. */
double f_at_point(const problem *p, uint64_t seed, uint64_t k, int ways);

/* The area times the mean of f at the points first ... first + n - 1. */
long double mean_of_points(const problem *p, uint64_t seed, uint64_t first, size_t n, int ways);

#endif
