/* What the tests of 16-bit floating point compare with: rounding in double arithmetic, by scaling with powers
 * of two and the C library's rounding to whole numbers. It has nothing in common with bit tricks. */
#ifndef ROUNDING_H
#define ROUNDING_H

#include <math.h>

/* A format with `digits` significant bits, whose smallest normal number is 2^(least - 1) in frexp's terms and
 * whose largest is below 2^most. */
struct format {
  int digits, least, most;
};

enum direction { NEAREST, ZERO, UP, DOWN };

static inline double rounded(double x, struct format f, enum direction way) {
  int exponent;
  if (!isfinite(x) || x == 0) return x;
  frexp(x, &exponent);
  if (exponent < f.least) exponent = f.least;
  const double unit = ldexp(1.0, exponent - f.digits), n = x / unit;
  const double result = unit * (way == NEAREST ? rint(n)
                                : way == ZERO  ? trunc(n)
                                : way == UP    ? ceil(n)
                                               : floor(n));
  if (fabs(result) < ldexp(1.0, f.most)) return result;
  const double largest = ldexp(1.0, f.most) - ldexp(1.0, f.most - f.digits);
  if (way == NEAREST) return copysign(INFINITY, x);
  if (way == ZERO) return copysign(largest, x);
  return (way == UP) == (x > 0) ? copysign(INFINITY, x) : copysign(largest, x);
}

/* The value of 16 bits with so many bits of fraction. */
static inline double value_of_bits(unsigned bits, int fraction) {
  const int bias = (1 << (14 - fraction)) - 1,
            exponent = (int)(bits >> fraction & ((1u << (15 - fraction)) - 1));
  const double digits = (double)(bits & ((1u << fraction) - 1)), sign = bits >> 15 ? -1 : 1;
  if (exponent == 2 * bias + 1) return digits != 0 ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * ldexp(digits, 1 - bias - fraction);
  return sign * ldexp(digits + (1 << fraction), exponent - bias - fraction);
}

#endif
