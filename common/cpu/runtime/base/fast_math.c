/*
 * The fast intrinsics (__sinf …) with errors like those of a GPU. NVIDIA states the largest error of each in
 * the CUDA C++ Programming Guide, "Intrinsic Functions"; no result here is further from the exact one. Where a
 * range is stated, the error outside of it grows as on the device, because it has the same causes:
 *
 *   - the argument is multiplied by a constant in float, which rounds: __sinf by 1 / (2 pi), __expf by
 *     log2(e), __powf(x, y) = exp2(y * __log2f(x));
 *   - the table of the special function unit is coarse. What it adds depends on the argument only, like a
 *     hash of its bits: the same argument has the same error in every run.
 *
 * CUCC_FAST_MATH=exact gives the C library's results instead.
 */
#include "base/base.h"
#include "base/options.h"

#include <float.h>
#include <math.h>
#include <string.h>

float cucc_fast_sin(float x);
float cucc_fast_cos(float x);
float cucc_fast_tan(float x);
float cucc_fast_tanh(float x);
float cucc_fast_exp(float x);
float cucc_fast_exp10(float x);
float cucc_fast_log(float x);
float cucc_fast_log2(float x);
float cucc_fast_log10(float x);
float cucc_fast_pow(float x, float y);
float cucc_fast_divide(float a, float b);

static bool exact(void) { return options()->exact_fast_math; }

/* Between -1 and 1, by the bits of x: the finalizer of MurmurHash3 (Austin Appleby, public domain). */
static double coarse(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits = (bits ^ bits >> 16) * 0x85ebca6bu;
  bits = (bits ^ bits >> 13) * 0xc2b2ae35u;
  return (double)(int32_t)(bits ^ bits >> 16) * 0x1p-31;
}

/* The distance from |y| to the next float. */
static double ulp_of(double y) {
  const float f = fabsf((float)y);
  return f < FLT_MAX ? nextafterf(f, INFINITY) - f : 0;
}

/* As a float; if it is further from `right` than `most`, the float next to it that is nearer. */
static float within(double value, double right, double most) {
  float f = (float)value;
  if (!isfinite(right) || !isfinite(f)) return f;
  if (fabs(f - right) > most) f = (float)(right + copysign(most, f - right));
  return fabs(f - right) > most ? nextafterf(f, (float)right) : f;
}

/* ---- Sine and cosine: the argument in turns ---- */

#define PER_TURN 0.159154943f /* 1 / (2 pi), rounded */
#define TABLE    0x1p-22      /* of the unit's own error */

/* One of sin and cos. `most` is the largest error in [-pi, pi], where it is stated. */
static float circular(float x, double (*function)(double), double most) {
  const float turns = x * PER_TURN;
  const double right = function(x);
  const double value = function(2 * M_PI * (turns - rint(turns))) + TABLE * coarse(turns);
  if (turns == 0) return (float)right;
  return within(value, right, fabsf(x) <= 3.14159274f ? most : INFINITY);
}

float cucc_fast_sin(float x) { return exact() ? sinf(x) : circular(x, sin, 0x1.81p-22); } /* 2^-21.41 */
float cucc_fast_cos(float x) { return exact() ? cosf(x) : circular(x, cos, 0x1.c0p-22); } /* 2^-21.19 */
float cucc_fast_tan(float x) {
  return exact() ? tanf(x) : cucc_fast_divide(cucc_fast_sin(x), cucc_fast_cos(x));
}

/* A relative error of 2^-11. */
float cucc_fast_tanh(float x) {
  return exact() ? tanhf(x) : (float)(tanh(x) * (1 + 0x1p-11 * (1 - 0x1p-10) * coarse(x)));
}

/* ---- Powers of two ---- */

/* 2^t, wrong by up to 2 ulp, and within `most` ulp of `right`. */
static float power_of_two(float t, double right, double most) {
  const double value = exp2(t);
  return within(value + 1.5 * ulp_of(value) * coarse(t) * (rintf(t) != t), right, most * ulp_of(right));
}

float cucc_fast_exp(float x) {
  if (exact()) return expf(x);
  return power_of_two(x * 1.44269502f, exp(x), 2 + floor(fabs(1.173 * x)));
}

float cucc_fast_exp10(float x) {
  if (exact()) return exp10f(x);
  return power_of_two(x * 3.32192802f, pow(10, x), 2 + floor(fabs(2.97 * x)));
}

/* ---- Logarithms: that to base 2, then times a constant ---- */

/* In [0.5, 2] an absolute error of 2^-22 at most, otherwise 2 ulp. */
static double rough_log2(float x) {
  const double right = log2(x);
  if (!isfinite(right) || right == rint(right)) return right; /* powers of two are exact */
  const double most = x >= 0.5f && x <= 2 ? 0x1p-22 : 2 * ulp_of(right);
  return within(right + most * coarse(x), right, most);
}

static float logarithm(float x, float factor, double right, double most_near, double most_ulp) {
  const bool near = x >= 0.5f && x <= 2;
  return within((float)rough_log2(x) * factor, right, near ? most_near : most_ulp * ulp_of(right));
}

float cucc_fast_log2(float x) { return exact() ? log2f(x) : (float)rough_log2(x); }
float cucc_fast_log(float x) { return exact() ? logf(x) : logarithm(x, 0.693147182f, log(x), 0x1.81p-22, 3); }
float cucc_fast_log10(float x) {
  return exact() ? log10f(x) : logarithm(x, 0.301029987f, log10(x), 0x1p-24, 3);
}

float cucc_fast_pow(float x, float y) {
  if (exact()) return powf(x, y);
  return power_of_two(y * (float)rough_log2(x), NAN, 0);
}

/* ---- Division: by the reciprocal, which is 0 for |b| > 2^126 ---- */

float cucc_fast_divide(float a, float b) {
  if (exact()) return a / b;
  if (fabsf(b) > 0x1p126f) return a * copysignf(0, b); /* NaN for an infinite a */
  const double right = (double)a / b;
  return within((double)(float)(1 / (double)b) * a, right,
                fabsf(b) < 0x1p-126f ? INFINITY : 2 * ulp_of(right));
}
