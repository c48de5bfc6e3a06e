/* causes.c: see causes.h. */
#include "elementwise.h"
#include "causes.h"
#include "baselines.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static char sentence_said[400]; /* the judging parent asks for one cause at a time */

/* "for d_x[7] = -1e-08: SENTENCE" */
static const char *say(size_t i, double x, const char *sentence) {
  if (isnan(x))
    snprintf(sentence_said, sizeof sentence_said, "for d_x[%zu] = NaN: %s", i, sentence);
  else
    snprintf(sentence_said, sizeof sentence_said, "for d_x[%zu] = %.9g: %s", i, x, sentence);
  return sentence_said;
}

/* Whether a and b differ by at most `relative` of b, or are both NaN. */
static bool alike(double a, double b, double relative) {
  return a == b || fabs(a - b) <= relative * fabs(b) || (isnan(a) && isnan(b));
}

static const char lost_nan[] =
    "a NaN must stay one. Comparisons with NaN are false, and fmaxf and fminf return the other number.";

/* ---- Task 1 ---- */

const char *sin_float_cause(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  const float x = wb_f32(c, X)[i];
  const double right = sin(x), error = fabs(got - right);
  const char *sentence = NULL;
  if (isnan(x) && !isnan(got))
    sentence = lost_nan;
  else if (isinf(x) && !isnan(got))
    sentence = "the sine of an infinity is NaN.";
  else if (fabs((double)x) < FLT_MIN && x != 0 && got == 0)
    sentence = "a denormal, whose sine is the number itself. Fast math takes denormals for 0.";
  else if (alike(got, cos(x), 1e-5))
    sentence = "the result is its cosine.";
  else if (alike(got, sin(x * M_PI / 180), 1e-5))
    sentence = "the result is the sine of so many degrees.";
  else if (error < 4e-6 + 3e-7 * fabs(x) && fabsf(x) < 1e6f)
    sentence = "the error is as large as that of __sinf, whose error is not small where the sine is. sinf is "
               "right to 2 ulp.";
  else if (fabsf(x) > 100 && (fabs(got) > 1 || isnan(got) || error > 1e-6))
    sentence = "a large argument. sinf takes off all whole turns exactly; __sinf and series do not.";
  return sentence ? say(i, x, sentence) : NULL;
}

const char *sin_double_cause(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  const double x = wb_f64(c, X)[i];
  const char *sentence = NULL;
  if (isnan(x) && !isnan(got))
    sentence = lost_nan;
  else if (isinf(x) && !isnan(got))
    sentence = "the sine of an infinity is NaN.";
  else if (alike(got, sinf((float)x), 1e-6) || ((float)got == got && got != 0) ||
           (fabs(x) > FLT_MAX && isnan(got)) || alike(got, sin((float)x), 1e-5))
    sentence =
        "the result has the digits of a float. sinf, a variable of type float, or a cast to float is on "
        "the way.";
  else if (fabs(x) > 1000 && fabs(got) <= 1)
    sentence = "a large argument. sin takes off all whole turns exactly; a rounded x / pi does not, as in "
               "sinpi(x / pi), nor does a remainder by a rounded 2 pi.";
  return sentence ? say(i, x, sentence) : NULL;
}

/* ---- Task 2 ---- */

/* Whether e^x - 1 was taken for the first terms of x + x^2/2 + x^3/6 + ..., too few of them. */
static bool is_short_series(double got, double x, double factor) {
  double term = x, sum = x;
  for (int k = 2; k < 8; k++, term *= x / (k - 1), sum += term)
    if (alike(got, factor * sum, 3e-7) && !alike(sum, expm1(x), 8e-7)) return true;
  return false;
}

/* Whether the function was applied several times: to its own result. */
static bool is_selu_again(double got, double x) {
  double y = x;
  for (int times = 1; times <= 32; times++) {
    y = y > 0 ? SELU_SCALE * y : SELU_SCALE * SELU_ALPHA * expm1(y);
    if (times > 1 && alike(got, y, 1e-5)) return true;
  }
  return false;
}

const char *selu_cause(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  const float x = wb_f32(c, X)[i];
  const double both = SELU_SCALE * SELU_ALPHA, right = x > 0 ? SELU_SCALE * x : both * expm1(x);
  const float coarse = (float)both * (expf(x) - 1);
  const char *sentence = NULL;
  if (c->size.n[VALUES] == IN_PLACE && is_selu_again(got, x))
    sentence =
        "here d_y is d_x, and the function was applied to this element more than once, each time to its own "
        "result: exactly one thread of the whole grid does an element.";
  else if (c->size.n[VALUES] == IN_PLACE)
    sentence = "here d_y is d_x: what is written to d_y before d_x[i] is read replaces the input.";
  else if (isnan(x) && !isnan(got))
    sentence = lost_nan;
  else if (x <= 0 && x > -0.5f && is_short_series(got, x, both))
    sentence = "x + x^2/2 + ... has too few terms here. expm1f(x) computes e^x - 1 for any x.";
  else if (x <= 0 && x > -0.5f && fabs(got - right) <= 4e-7 * both && fabs(got - coarse) <= 4e-7 * both)
    sentence =
        "e^x - 1 has lost its digits, since e^x is near 1. expm1f(x) computes e^x - 1 without that loss.";
  else if (isnan(got) || (isinf(got) && !isinf(right)))
    sentence = "e^x is infinite for a large x, and an infinity times 0 is NaN. Only one branch may count.";
  else if (x > 0 ? alike(got, x, 1e-5) : alike(got, SELU_ALPHA * expm1(x), 1e-5))
    sentence = "the factor SELU_SCALE is missing.";
  else if (x <= 0 && alike(got, SELU_SCALE * expm1(x), 1e-5))
    sentence = "the factor SELU_ALPHA is missing for x <= 0.";
  else if (x > 0 && alike(got, both * expm1(x), 1e-5))
    sentence = "the branch for x <= 0 was taken, though x > 0.";
  else if (x <= 0 && alike(got, SELU_SCALE * x, 1e-5))
    sentence = "the branch for x > 0 was taken, though x <= 0.";
  else if (x > 0 ? alike(got, 1.05 * x, 1e-4) : alike(got, 1.05 * 1.67 * expm1(x), 4e-3))
    sentence = "the constants are rounded too much: use SELU_SCALE and SELU_ALPHA.";
  return sentence ? say(i, x, sentence) : NULL;
}

/* ---- Task 3 ---- */

const char *chain_cause(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  const double mean = mean_of(c), gain = c->param[1], low = -c->param[2], high = c->param[3];
  const double x = wb_f32(c, X)[i], t = (x - mean) * gain, u = 1 / (1 + exp(-t));
  const char *sentence = NULL;
  if (isnan(x) && !isnan(got))
    sentence = lost_nan;
  else if (isnan(got))
    sentence =
        "the result is NaN: an infinity divided by an infinity, or times 0. 1 / (1 + e^-t) has neither.";
  else if (alike(got, low + (high - low) / (1 + exp(t)), 1e-4))
    sentence = "it is high - (high - low) * u: the sign of t is lost (u = 1 / (1 + e^-t)), or low and high "
               "are exchanged.";
  else if (alike(got, low + high * u, 1e-4))
    sentence = "y = low + (high - low) * u, not low + high * u.";
  else if (alike(got, low + (high - low) / (1 + exp(-(x * gain - mean))), 1e-4))
    sentence = "first the mean is subtracted, then the gain multiplies: t = (x - mean) * gain.";
  else if (alike(got, u, 1e-4) || alike(got, t, 1e-4))
    sentence = "the result is that of an earlier step.";
  else if (c->size.n[VALUES] == NEAR_MEAN)
    sentence =
        "here x is near a large mean. x - mean loses no digit; a rounded mean * gain loses those that t has.";
  return sentence ? say(i, x, sentence) : NULL;
}

/* ---- Task 4 ---- */

/* The sum of sines, each with `factor` times the argument of the one before. */
static double sum_of(double x, size_t terms, double factor) {
  double sum = 0;
  for (size_t k = 0; k < terms; k++, x *= factor) sum += sin(x);
  return sum;
}

/* Whether it is the sum of fewer terms. */
static int ends_early(double got, double x, size_t terms) {
  const double missing = fabs(got - sum_of(x, terms, 0.5));
  for (size_t k = 1; k < terms; k++)
    if (missing > 1e-5 && fabs(got - sum_of(x, k, 0.5)) < missing / 16) return 1;
  return 0;
}

/* The sum where x is divided by the int 1 << k: from k = 31 on that has no such value, and takes another one. */
static double sum_by_int(double x, size_t terms) {
  double sum = 0;
  for (size_t k = 0; k < terms; k++) sum += sin(x / (double)(int32_t)(UINT32_C(1) << k % 32));
  return sum;
}

/* The sum where each whole turn that is taken off is larger than 2 pi by so much. */
static double sum_by_turn(double x, size_t terms, double more) {
  double sum = 0;
  for (size_t k = 0; k < terms; k++, x /= 2) sum += sin(x - more * rint(x / (2 * M_PI)));
  return sum;
}

#define TURN_AS_FLOAT 1.74845553e-7 /* so much larger than 2 pi */

const char *fast_sin_cause(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  const float x = wb_f32(c, X)[i];
  const size_t terms = c->size.n[TERMS];
  const double right = sum_of(x, terms, 0.5), error = fabs(got - right);
  const char *sentence = NULL;
  if (terms > 1 && error > 2e-3 &&
      (fabs(got - sum_of(remainder(x, 2 * M_PI), terms, 0.5)) < 1e-3 ||
       fabs(got - sum_of(fmod(x, 2 * M_PI), terms, 0.5)) < 1e-3))
    sentence =
        "whole turns are taken off before the argument is halved, but sin(x / 2) repeats only every two "
        "turns: take them off each argument by itself.";
  else if (error > 5e-6 * (double)terms &&
           fabs(got - sum_by_turn(x, terms, 2 * TURN_AS_FLOAT)) < 6e-7 * (double)terms)
    sentence =
        "each whole turn is too large by 3.5e-7, twice the error of 2 pi as a single float: is the low "
        "part of 2 pi, which is negative, taken with the other sign?";
  else if (fabsf(x) > 3 && error <= 4e-7 * fabs(x) + 4e-6)
    sentence =
        "the error grows with x. That of __sinf is stated for -pi to pi: take off whole turns of 2 pi "
        "before it, as two floats, each with its sign, since a single one is wrong by 1.7e-7 for each turn.";
  else if (terms > 32 && isfinite(x) && (isnan(got) || alike(got, sum_by_int(x, terms), 1e-4)))
    sentence =
        "the terms are wrong from number 31 on: 1 << 31 is more than an int holds. Halve x for each term.";
  else if (terms > 1 && alike(got, sin(x), 1e-4))
    sentence = "the result is the first sine alone; k of them are to be added.";
  else if (terms > 1 && alike(got, (double)terms * sin(x), 1e-4))
    sentence = "each sine of the sum has half the argument of the one before.";
  else if (terms > 1 && alike(got, sum_of(x, terms, 2), 1e-4))
    sentence = "each sine of the sum has twice the argument of the one before: half is asked for.";
  else if (alike(got, sum_of(x / 2, terms, 0.5), 1e-4))
    sentence = "the sum begins with the sine of x / 2: the first argument is x.";
  else if (alike(got, right - sin(ldexp(x, 1 - (int)terms)), 1e-4) ||
           alike(got, right + sin(ldexp(x, -(int)terms)), 1e-4))
    sentence = "the sum has one term too few or too many.";
  else if (ends_early(got, x, terms))
    sentence = "the sum has fewer than k terms: is the number of terms limited?";
  return sentence ? say(i, x, sentence) : NULL;
}

/* ---- Further ---- */

const char *crossing_cause(const wb_case *c, int array, size_t i, double got) {
  (void)array, (void)i;
  const size_t from = c->size.n[FROM], n = c->size.n[N];
  if (has_slow_copies(c) && n == SLOW_LATER)
    snprintf(sentence_said, sizeof sentence_said,
             "here the host takes no time for n = 1, and %d ms for n = 2; a copy back takes %d ms for n = 2: "
             "the GPU never "
             "wins. Times of a smaller n were kept for a larger one, or the copy back was not measured.",
             SHORT_MS, LONG_MS);
  else if (has_slow_copies(c))
    snprintf(
        sentence_said, sizeof sentence_said,
        "here the host takes %d ms, and a copy %s %d ms: the GPU never wins. That copy was not measured: "
        "read the clock %s, and one that goes on while a copy waits, which a clock of the processor, as "
        "clock(), "
        "does not.",
        SHORT_MS, n == SLOW_IN ? "in" : "back", LONG_MS, n == SLOW_IN ? "before it" : "when it has ended");
  else if (from == 0 || from > n)
    snprintf(sentence_said, sizeof sentence_said,
             "here the host takes no time at all, for any n: the GPU never wins.");
  else if (got != 0 && got < (double)from)
    snprintf(sentence_said, sizeof sentence_said,
             "here the host takes no time below n = %zu: a GPU that wins earlier was not waited for, "
             "or the host was not called with n elements.",
             from);
  else
    snprintf(sentence_said, sizeof sentence_said,
             "here the host takes %d ms from n = %zu on: the first power of two from there is the "
             "answer.",
             WAIT_MS, from);
  return sentence_said;
}
