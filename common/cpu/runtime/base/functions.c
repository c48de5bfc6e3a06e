/*
 * Mathematical functions of CUDA that the C library lacks, in double precision.
 *
 * Inverse functions start from an estimate and improve it by Halley's method on the library's erf and erfc,
 * until the last bits. Errors are a few units in the last place, as on the device.
 */
#include "base/base.h"

#include <math.h>

double cucc_sinpi(double x);
double cucc_cospi(double x);
double cucc_erfinv(double x);
double cucc_erfcinv(double x);
double cucc_erfcx(double x);
double cucc_normcdf(double x);
double cucc_normcdfinv(double x);
double cucc_cyl_bessel_i(int order, double x);
double cucc_norm(double a, double b, double c, double d);
double cucc_norm_of(int count, const double *values);

/* The argument is brought to [-1/4, 1/4] without error before pi comes in. */
double cucc_sinpi(double x) {
  if (!isfinite(x)) return x - x;
  const double whole = nearbyint(2 * x), rest = x - whole / 2;
  const int quarter = (int)fmod(whole, 4);
  if (rest == 0 && quarter % 2 == 0) return copysign(0.0, x);
  switch (quarter & 3) {
  case 0:
    return sin(M_PI * rest);
  case 1:
    return cos(M_PI * rest);
  case 2:
    return -sin(M_PI * rest);
  default:
    return -cos(M_PI * rest);
  }
}

double cucc_cospi(double x) {
  if (!isfinite(x)) return x - x;
  const double whole = nearbyint(2 * x), rest = x - whole / 2;
  const int quarter = (int)fmod(whole, 4);
  if (rest == 0 && quarter % 2 != 0) return 0.0;
  switch (quarter & 3) {
  case 0:
    return cos(M_PI * rest);
  case 1:
    return -sin(M_PI * rest);
  case 2:
    return -cos(M_PI * rest);
  default:
    return sin(M_PI * rest);
  }
}

/* y with erfc(y) = x, for 0 < x <= 1. The estimate is the first terms of erfc's asymptotic series. */
static double positive_erfcinv(double x) {
  const double l = -log(x * sqrt(M_PI)), t = l > 1 ? l - 0.5 * log(l) : 0;
  double y = x > 0.3 ? (1 - x) * 0.9 : sqrt(t > 0.2 ? t : 0.2);
  for (int i = 0; i < 60; i++) {
    const double error = (erfc(y) - x) / (-2 / sqrt(M_PI) * exp(-y * y));
    const double step = error / (1 + y * error);
    y -= step;
    if (fabs(step) <= 1e-16 * fabs(y)) break;
  }
  return y;
}

double cucc_erfcinv(double x) {
  if (!(x >= 0 && x <= 2)) return NAN;
  if (x == 0) return INFINITY;
  if (x == 2) return -INFINITY;
  return x <= 1 ? positive_erfcinv(x) : -cucc_erfinv(x - 1);
}

double cucc_erfinv(double x) {
  if (!(fabs(x) <= 1)) return NAN;
  if (fabs(x) == 1) return x * INFINITY;
  if (fabs(x) > 0.5) return copysign(positive_erfcinv(1 - fabs(x)), x);
  double y = x * (sqrt(M_PI) / 2);
  for (int i = 0; i < 60; i++) {
    const double error = (erf(y) - x) / (2 / sqrt(M_PI) * exp(-y * y));
    const double step = error / (1 + y * error);
    y -= step;
    if (fabs(step) <= 1e-16 * fabs(y)) break;
  }
  return y;
}

/* Far out, erfc makes much of its argument's last bit: what x / sqrt(2) loses is put in again. */
double cucc_normcdf(double x) {
  const double t = x * -M_SQRT1_2;
  if (t < 1 || isinf(t)) return 0.5 * erfc(t);
  const double lost = fma(x, -M_SQRT1_2, -t) + x * 4.833646656726457e-17;
  return 0.5 * erfc(t) * (1 - 2 * t * lost);
}

double cucc_normcdfinv(double x) { return -M_SQRT2 * cucc_erfcinv(2 * x); }

/* exp(x*x) * erfc(x); where erfc comes near underflow, by its continued fraction. */
double cucc_erfcx(double x) {
  if (x < 8) {
    const double square = x * x, lost = fma(x, x, -square);
    return exp(square) * (1 + lost) * erfc(x);
  }
  if (x > 1e150) return 1 / (x * sqrt(M_PI));
  double fraction = x;
  for (int k = 60; k > 0; k--) fraction = x + k / 2.0 / fraction;
  return 1 / (fraction * sqrt(M_PI));
}

/* The modified Bessel function of the first kind, of order 0 or 1, by its power series: all terms are
 * positive. */
double cucc_cyl_bessel_i(int order, double x) {
  if (isinf(x)) return order ? x : INFINITY;
  const double quarter = x * x / 4;
  double term = order ? x / 2 : 1, sum = term;
  for (int k = 1; k < 2000 && fabs(term) > 1e-18 * fabs(sum); k++) {
    term *= quarter / ((double)k * (k + order));
    sum += term;
  }
  return sum;
}

/* Scaled, so that no square overflows or vanishes. */
double cucc_norm_of(int count, const double *values) {
  double largest = 0, sum = 0;
  for (int i = 0; i < count; i++) {
    if (isinf(values[i])) return INFINITY;
    if (!(fabs(values[i]) <= largest)) largest = fabs(values[i]);
  }
  if (largest == 0 || isnan(largest)) return largest;
  int exponent;
  frexp(largest, &exponent);
  for (int i = 0; i < count; i++) {
    const double v = ldexp(values[i], -exponent);
    sum += v * v;
  }
  return ldexp(sqrt(sum), exponent);
}

double cucc_norm(double a, double b, double c, double d) {
  const double values[] = {a, b, c, d};
  return cucc_norm_of(4, values);
}
