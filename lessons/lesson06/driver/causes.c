/* causes.c: see causes.h. A wrong maximum is a number that is none of the array's, or one that another
 * comparison takes for the largest, or any of them. */
#include "causes.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

#define ENOUGH 8 /* numbers */

/* What the array has: all but NaNs. */
typedef struct numbers {
  size_t all, larger; /* than the wrong result */
  size_t place;       /* of the first that equals it; all: there is none */
  double smallest, as_int, as_unsigned;
} numbers;

static uint32_t bits_of(const wb_case *c, size_t i) { return wb_u32(c, D_X)[i]; }

static numbers look_for(const wb_case *c, bool floats, double got) {
  const size_t n = c->size.n[N];
  numbers is = {.place = n, .smallest = INFINITY, .as_int = NAN, .as_unsigned = NAN};
  int32_t largest_int = INT32_MIN;
  uint32_t largest_unsigned = 0;
  for (size_t i = 0; i < n; i++) {
    const double x = floats ? wb_f32(c, D_X)[i] : wb_i32(c, D_X)[i];
    if (isnan(x)) continue;
    is.all++;
    is.larger += x > got;
    is.smallest = fmin(x, is.smallest);
    if (x == got && is.place == n) is.place = i;
    if ((int32_t)bits_of(c, i) >= largest_int) largest_int = (int32_t)bits_of(c, i), is.as_int = x;
    if (bits_of(c, i) >= largest_unsigned) largest_unsigned = bits_of(c, i), is.as_unsigned = x;
  }
  return is;
}

/* A number of the array than which others are larger. The largest of a part of them is seldom one than which
 * many are. */
static const char *cause_of_any(const numbers *is, size_t n, double got) {
  static _Thread_local char text[200];
  if (is->place == n || is->all < ENOUGH) return NULL;
  if (got == is->smallest) return "it is the smallest number";
  if (is->all < n) return NULL; /* a NaN may have hidden others */
  if (is->larger < is->all / 4) return NULL;
  snprintf(text, sizeof text,
           "it is d_x[%zu], and %zu of %zu numbers are larger: is each stored without a comparison with the "
           "one that is there, or is hardly any compared?",
           is->place, is->larger, is->all);
  return text;
}

const char *cause_of_integer(const wb_case *c, double want, double got) {
  const size_t n = c->size.n[N];
  if (got == (int32_t)0x80808080 || got == (int32_t)0x7f7f7f7f)
    return "a memset writes the same byte four times: INT32_MIN is 0x80000000";
  if (got == -INT32_MAX) return "-INT32_MAX takes part in it, which is above INT32_MIN";
  if (got == 0) return "0 takes part in it, which is above every negative number";
  if (n == 0 || got == want || got == INT32_MIN) return NULL; /* the value before it shows nothing */
  const numbers is = look_for(c, false, got);
  if (is.all >= ENOUGH && got < 0 && got == is.as_unsigned)
    return "numbers are compared as unsigned, where a negative one is large";
  return cause_of_any(&is, n, got);
}

const char *cause_of_float(const wb_case *c, double want, double got) {
  const size_t n = c->size.n[N];
  if (isnan(got))
    return "a NaN among the numbers is not ignored: every comparison with a NaN is false, so that "
           "`a > b ? a : b` is b; fmaxf takes the number";
  if (n == 1 && isinf(want) && want > 0)
    return "an infinity among the numbers is left out: it counts like any other number";
  if (got == 0 && want > 0)
    return "a zero has replaced a positive number: +0 has the bits 0, the smallest of all as unsigned. Which "
           "way "
           "does a block with the largest number 0 take?";
  if (got == 0 && want < 0) return "0 takes part in it, which is above every negative number";
  if (got == FLT_MIN) return "FLT_MIN is the smallest positive float, above every negative number";
  if (got == -FLT_MAX) return "-FLT_MAX takes part in it, which is above -INFINITY";
  if (got != 0 && fabs(got) < FLT_MIN)
    return "the bits are those of an int: a float was converted, or read as one";
  if (n == 0 || got == want || got == -INFINITY) return NULL; /* the value before it shows nothing */
  const numbers is = look_for(c, true, got);
  if (is.all >= ENOUGH && got < 0 && got == is.as_int)
    return "the bits are compared as int: of two negative floats the smaller one has the larger bits";
  if (is.all >= ENOUGH && got < 0 && got == is.as_unsigned)
    return "the bits are compared as unsigned, where every negative float is above all others";
  return cause_of_any(&is, n, got);
}

#define VALUES 256
#define MOST   ((size_t)1 << 20) /* bytes that are counted here */

/* Whether all counts are right but for the last `rest` bytes, which were counted `again` times more. */
static bool counted_again(const wb_case *c, size_t rest, double again) {
  const size_t n = c->size.n[N];
  double counts[VALUES] = {0};
  for (size_t i = 0; i < n; i++) counts[wb_u8(c, D_X)[i]] += i < n - rest ? 1 : 1 + again;
  for (size_t v = 0; v < VALUES; v++)
    if (wb_u32(c, D_RESULT)[v] != counts[v]) return false;
  return true;
}

const char *cause_of_rest_again(const wb_case *c, size_t v, double want, double got) {
  static _Thread_local char text[160];
  const size_t n = c->size.n[N];
  for (size_t vector = 16; vector >= 4 && n <= MOST; vector /= 2) {
    const size_t rest = n % vector;
    size_t among = 0;
    for (size_t i = n - rest; i < n; i++) among += wb_u8(c, D_X)[i] == v;
    const double again = (got - want) / (double)among;
    if (among == 0 || again < 1 || !counted_again(c, rest, again)) continue;
    snprintf(text, sizeof text,
             "the last n %% %zu = %zu bytes are counted %.0f times: does each of %.0f blocks count them?",
             vector, rest, again + 1, again + 1);
    return text;
  }
  return NULL;
}
