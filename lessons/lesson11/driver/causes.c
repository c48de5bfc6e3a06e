/* causes.c: see causes.h. */
#include "causes.h"
#include "stopwatch.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* What C holds before a call at small sizes: bytes of 0x3F (main.c). */
#define OLD 0.747058808803558349609375

static bool near(const wrong *w, double value) { return fabs(w->got - value) <= w->tolerance; }

/* The first `bits` of the 24 bits of x: rounded, or cut off. */
static float leading(float x, int bits, bool cut) {
  const int out = 24 - bits;
  uint32_t all;
  memcpy(&all, &x, sizeof all);
  all = (all + (cut ? 0 : (1u << (out - 1)) - 1 + (all >> out & 1))) & ~((1u << out) - 1);
  memcpy(&x, &all, sizeof all);
  return x;
}

/* Those that TF32 has. */
static float tf32(float x, bool cut) { return leading(x, 11, cut); }

/* A sum in which the numbers of A, of B or of both have no more bits than TF32 has. */
static double tf32_sum(const wrong *w, bool of_a, bool of_b, bool cut) {
  const oracle_product *p = w->p;
  double sum = 0;
  for (size_t t = 0; t < p->k; t++) {
    const float a = p->a[w->row * p->lda + t], b = p->b[t * p->ldb + w->column];
    sum += (double)(of_a ? tf32(a, cut) : a) * (of_b ? tf32(b, cut) : b);
  }
  return sum;
}

/* How far the result is from such a sum, rounded or cut off. */
static double distance(const wrong *w, bool of_a, bool of_b) {
  return fmin(fabs(w->got - tf32_sum(w, of_a, of_b, false)), fabs(w->got - tf32_sum(w, of_a, of_b, true)));
}

/* The result of TF32 inputs, or of a split in which the rests of A or of B were left out: which is the nearest,
 * and fifty times as near as the right one. */
static const char *cause_of_bits(const wrong *w) {
  const double both = distance(w, true, true), a = distance(w, true, false), b = distance(w, false, true);
  if (fmin(both, fmin(a, b)) > 0.02 * fabs(w->got - w->right)) return NULL;
  if (both <= a && both <= b)
    return "it is what TF32 inputs give, without the rests of A and B: the bound asks for a product in "
           "float, or for three that beta = 1 adds up";
  return a <= b ? "the product of A's rests is missing: what TF32 leaves of each number of A"
                : "the product of B's rests is missing: what TF32 leaves of each number of B";
}

/* The sum of three products, where the first part of each number has so many bits; TF32 takes 11 of them. All
 * parts are rounded or cut. */
static double split_sum(const wrong *w, int bits, bool cut) {
  const oracle_product *p = w->p;
  double sum = 0;
  for (size_t t = 0; t < p->k; t++) {
    const float a = p->a[w->row * p->lda + t], b = p->b[t * p->ldb + w->column];
    const float first_a = leading(a, bits, cut), first_b = leading(b, bits, cut);
    const double high_a = tf32(first_a, cut), high_b = tf32(first_b, cut);
    sum += high_a * high_b + high_a * tf32(b - first_b, cut) + tf32(a - first_a, cut) * high_b;
  }
  return sum;
}

/* A split into a first part of other than 11 bits: least to most. */
static bool is_split(const wrong *w, int least, int most) {
  for (int bits = least; bits <= most; bits++)
    for (int cut = 0; cut < 2; cut++)
      if (fabs(w->got - split_sum(w, bits, cut)) < 0.1 * fabs(w->got - w->right)) return true;
  return false;
}

/* One of the products of a first part and a rest is added twice, and the other one never. */
static const char *cause_of_copy(const wrong *w) {
  const double rest_a = w->right - tf32_sum(w, true, false, false);
  const double rest_b = w->right - tf32_sum(w, false, true, false);
  const double least = 0.02 * fabs(w->got - w->right);
  if (fabs(w->got - (w->right + rest_a - rest_b)) < least)
    return "the product of A's rests is added twice, and that of B's never";
  return fabs(w->got - (w->right - rest_a + rest_b)) < least
             ? "the product of B's rests is added twice, and that of A's never"
             : NULL;
}

static bool exceeds_half(const oracle_product *p, size_t row, size_t column) {
  float largest = 0;
  for (size_t t = 0; t < p->k; t++)
    largest = fmaxf(largest, fmaxf(fabsf(p->a[row * p->lda + t]), fabsf(p->b[t * p->ldb + column])));
  return largest >= 65520;
}

const char *cause_of_element(const wrong *w) {
  const oracle_product *p = w->p;
  if (p->k == 0)
    return near(w, OLD)
               ? "it is what C held before: with k = 0 the sum has no terms, so the element becomes 0"
               : "with k = 0 the sum has no terms, so the element is 0";
  if (!isfinite(w->got) && exceeds_half(p, w->row, w->column))
    return "it is not finite. Does a number go through half? There it ends at 65504, and TF32 has the "
           "exponents of float";
  if (near(w, w->right + OLD)) return "it is A * B plus what C held before: beta must be 0";
  const char *bits = cause_of_bits(w);
  if (bits) return bits;
  const char *copy = cause_of_copy(w);
  if (copy) return copy;
  if (is_split(w, 12, 14))
    return "the first part of each number has more bits than the 11 of TF32: the last of them are lost, for "
           "the rest does not have them";
  if (is_split(w, 7, 10))
    return "the first part of each number has fewer bits than the 11 of TF32, so the product of the rests, "
           "which is left out, is too large";
  const oracle_product turned = {p->b, p->a, p->m, p->n, p->k, p->n, p->k, 0};
  if (p->m == p->n && p->n == p->k && near(w, oracle_element(&turned, w->row, w->column).sum))
    return "it is B * A: exchange the two matrices";
  if (p->m == p->n && w->row != w->column && near(w, oracle_element(p, w->column, w->row).sum))
    return "it is the element of the transpose: cuBLAS wrote C by columns";
  if (w->right > 0 && w->got < w->right && w->got > w->right * 0.999)
    return w->bound > 0 && w->bound < 0x1p-20 + (double)p->k * 0x1p-25
               ? "it is too small by a little, as a long sum in tensor cores is: with this k the error of "
                 "three products, 2^-20 + k * 2^-25, is above the bound"
               : "the sum is too small by a little: a tensor core cuts off what does not fit while it adds, "
                 "the more often the longer the sum";
  return NULL;
}

const char *cause_of_time(int which, double ratio, int calls) {
  if (isnan(ratio)) return which ? "h_ms[1] was not written" : "h_ms[0] was not written";
  if (ratio == 1e-3) return "the time is in seconds: milliseconds are asked for";
  if (ratio == 1e3) return "the time is in microseconds: milliseconds are asked for";
  if (ratio == 1e6) return "the time is in nanoseconds: milliseconds are asked for";
  if (ratio == SECOND_LOST)
    return "a second is missing: tv_nsec begins again with each second, and tv_sec counts them";
  if (ratio == STEPS)
    return "both times are multiples of 1/16 ms, as whole milliseconds are, or a float that counts them from "
           "the "
           "machine's start: a double has enough digits";
  if (ratio == WITHOUT_WARM)
    return "it is the time of the first call without that of a warm one: all that the first call does counts";
  if (ratio == NOT_THE_MEAN)
    return "one of the warm calls takes far longer here: it is the time of the fastest or of a typical one, "
           "and not the mean of all calls";
  if (which && calls == 1 && fabs(ratio - 0.5) < 0.1)
    return "it is half of the time of a call: divide the time of `calls` calls by `calls`, without the first "
           "one";
  if (ratio < 1)
    return which ? "the product takes longer: its work was not done yet when the clock was read, or it is "
                   "not the mean of all calls"
                 : "the first call takes longer: its work was not done yet when the clock was read, or it "
                   "was not the first";
  if (which && calls > 1 && fabs(ratio / calls - 1) < 0.15)
    return "it is the time of all calls together, or of the slowest: divide that of all by their number";
  return which ? "more than the warm calls was timed: the first call's work, or more"
               : "more than the first call was timed";
}

const char *cause_of_settings(double got) {
  if (got == MATH_MODE * 0x01010101u)
    return "the handle has another math mode than before: set it back, for other "
           "calls use the handle, too";
  return got == POINTER_MODE * 0x01010101u ? "the handle has another pointer mode than before" : NULL;
}
