/* oracle.c: see oracle.h. All in long double, whose rounding is far below the tolerances. */
#include "oracle.h"

#include <math.h>

points midpoints(const problem *p, size_t nx, size_t ny) {
  const long double hx = ((long double)p->x1 - p->x0) / nx, hy = ((long double)p->y1 - p->y0) / ny;
  return (points){nx, ny, p->x0 + hx / 2, p->y0 + hy / 2, hx, hy};
}

/* sin(n s / 2) / sin(s / 2): how n equally spaced phases add up. */
static long double comb(size_t n, long double s) {
  const long double below = sinl(s / 2);
  return below == 0 ? n : sinl(n * s / 2) / below;
}

/*
 * A sum of sines of equally spaced phases is the sine of the middle phase times a factor:
 *     sin(t) + sin(t + s) + ... + sin(t + (n-1) s) = sin(t + (n-1) s / 2) * sin(n s / 2) / sin(s / 2)
 * and the same factor again for the second dimension.
 */
long double rule(const problem *p, points g) {
  if (g.nx == 0 || g.ny == 0) return 0;
  const long double s = p->a * g.hx, t = p->b * g.hy;
  const long double middle = p->a * g.x + p->b * g.y + p->d + (g.nx - 1) * s / 2 + (g.ny - 1) * t / 2;
  return g.hx * g.hy * p->c * sinl(middle) * comb(g.nx, s) * comb(g.ny, t);
}

double f_at(const problem *p, long double x, long double y) {
  return p->c * sin((double)(p->a * x + p->b * y + p->d));
}

/* A value of f is off by two roundings of the sine and one of c, and by those of its argument. */
static double off_by(const problem *p) { return (8 * argument(p) + 16) * fabs(p->c) * WB_EPS64; }

static void add_value(zeroed_sum *sum, double value, double off, const wb_window *zeros) {
  const double share = wb_share(zeros, value, off);
  sum->value += share * value;
  if (share == 0.5) sum->open += fabs(value) / 2;
}

static zeroed_sum times(zeroed_sum sum, long double factor) {
  return (zeroed_sum){sum.value * factor, sum.open * (double)fabsl(factor)};
}

zeroed_sum rule_with_zeros(const problem *p, points g, const wb_window *zeros) {
  const double off = off_by(p);
  zeroed_sum sum = {0, 0};
  if (g.nx == 0 || g.ny == 0) return sum;
  for (size_t j = 0; j < g.ny; j++)
    for (size_t i = 0; i < g.nx; i++) add_value(&sum, f_at(p, g.x + i * g.hx, g.y + j * g.hy), off, zeros);
  return times(sum, g.hx * g.hy);
}

/* The mean of sin(k (ax + by) + shift) over the rectangle. */
static long double mean_sine(const problem *p, int k, long double shift) {
  const long double x = ((long double)p->x0 + p->x1) / 2, y = ((long double)p->y0 + p->y1) / 2;
  const long double s = k * p->a * ((long double)p->x1 - p->x0) / 2,
                    t = k * p->b * ((long double)p->y1 - p->y0) / 2;
  return sinl(k * (p->a * x + p->b * y) + shift) * (s == 0 ? 1 : sinl(s) / s) * (t == 0 ? 1 : sinl(t) / t);
}

static long double area(const problem *p) {
  return ((long double)p->x1 - p->x0) * ((long double)p->y1 - p->y0);
}

long double integral(const problem *p) { return p->c * area(p) * mean_sine(p, 1, p->d); }

/* The mean of the square of a sine is half of 1 minus the mean of the cosine of twice its argument. */
long double deviation(const problem *p) {
  const long double mean = mean_sine(p, 1, p->d);
  const long double square = (1 - mean_sine(p, 2, 2 * (long double)p->d + acosl(0))) / 2;
  return fabsl(p->c) * sqrtl(fmaxl(0, square - mean * mean));
}

double magnitude(const problem *p) { return (double)fabsl(p->c * area(p)); }

double argument(const problem *p) {
  return fabs(p->a) * fmax(fabs(p->x0), fabs(p->x1)) + fabs(p->b) * fmax(fabs(p->y0), fabs(p->y1)) +
         fabs(p->d);
}

void philox(uint32_t word[4], uint64_t key, int ways) {
  uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
  const int rounds = ways & NINE_ROUNDS ? 9 : 10;
  for (int r = 0; r < rounds; r++) {
    const uint64_t first = 0xD2511F53, second = 0xCD9E8D57;
    uint64_t p = (ways & FACTORS_EXCHANGED ? second : first) * word[0];
    uint64_t q = (ways & FACTORS_EXCHANGED ? first : second) * word[2];
    if (ways & HALVES_EXCHANGED) p = p << 32 | p >> 32, q = q << 32 | q >> 32;
    word[0] = (uint32_t)(q >> 32) ^ word[1] ^ k0;
    word[1] = (uint32_t)q;
    word[2] = (uint32_t)(p >> 32) ^ word[3] ^ k1;
    word[3] = (uint32_t)p;
    if (ways & KEY_STAYS) continue;
    k0 += ways & STEPS_EXCHANGED ? 0xBB67AE85 : 0x9E3779B9;
    k1 += ways & STEPS_EXCHANGED ? 0x9E3779B9 : 0xBB67AE85;
  }
}

/* In [0, 1), from 64 random bits. */
static double fraction(uint32_t high, uint32_t low) {
  return (double)(((uint64_t)high << 32 | low) >> 11) / 9007199254740992.0;
}

double f_at_point(const problem *p, uint64_t seed, uint64_t k, int ways) {
  uint32_t w[4] = {(uint32_t)k, ways & LOW_WORD_ALONE ? 0 : (uint32_t)(k >> 32), 0, 0};
  philox(w, ways & SEED_CUT ? (uint32_t)seed : seed, ways);
  double u = ways & WORDS_EXCHANGED ? fraction(w[0], w[1]) : fraction(w[1], w[0]);
  double v = ways & WORDS_EXCHANGED ? fraction(w[2], w[3]) : fraction(w[3], w[2]);
  if (ways & HALF_THE_BITS) u = w[0] / 4294967296.0, v = w[1] / 4294967296.0;
  if (ways & X_IS_Y) {
    const double swap = u;
    u = v;
    v = swap;
  }
  const double width = p->x1 - p->x0, height = p->y1 - p->y0;
  const long double x = p->x0 + (long double)u * (ways & X_BY_HEIGHT ? height : width);
  const long double y = p->y0 + (long double)v * (ways & Y_BY_WIDTH ? width : height);
  return f_at(p, x, y);
}

long double mean_of_points(const problem *p, uint64_t seed, uint64_t first, size_t n, int ways) {
  if (n == 0) return 0;
  long double sum = 0;
  for (size_t i = 0; i < n; i++) sum += f_at_point(p, seed, first + i, ways);
  return area(p) * sum / n;
}

zeroed_sum mean_with_zeros(const problem *p, uint64_t seed, uint64_t first, size_t n,
                           const wb_window *zeros) {
  const double off = off_by(p);
  zeroed_sum sum = {0, 0};
  if (n == 0) return sum;
  for (size_t i = 0; i < n; i++) add_value(&sum, f_at_point(p, seed, first + i, 0), off, zeros);
  return times(sum, area(p) / n);
}
