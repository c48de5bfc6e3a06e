/* model/cause.c: see model/cause.h. Each test below takes the wrong elements of one array and adds a line, or
 * adds nothing and returns false. They are tried in the order of the table at the end. */
#include "model/cause.h"
#include "model/cause_places.h"
#include "model/cause_facts.h"
#include "base/threads.h"
#include "model/picture.h"
#include "model/random.h"
#include "model/sizes.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_MULTIPLE 7 /* sizes of which a count may be a multiple */
#define ENOUGH         4 /* wrong elements of which a relation is no chance */

/* Whether every wrong element is what `guess` makes of its right value. */
static bool all(const facts *f, double (*guess)(const facts *f, size_t i)) {
  for (size_t w = 0; w < f->wrongs; w++)
    if (!wb_alike(f, f->wrong[w], guess(f, f->wrong[w]))) return false;
  return true;
}

/* How many different right values the wrong elements should have; 2: two or more. */
static int different(const facts *f) {
  for (size_t w = 1; w < f->wrongs; w++)
    if (f->want[f->wrong[w]] != f->want[f->wrong[0]]) return 2;
  return 1;
}

/* ---- NaN ---- */

/* How many of the first bytes of element i are written, and are the right ones; the others still have the
 * poison. 0: all are written, or none, or others. */
static size_t first_bytes(const facts *f, size_t i) {
  const size_t bytes = wb_type_bytes(f->type);
  const unsigned char *is = (const unsigned char *)f->got + i * bytes;
  const uint32_t word = (uint32_t)(int64_t)f->want[i];
  size_t written = bytes;
  while (written > 0 && is[written - 1] == 0xFF) written--;
  if (written == bytes || f->type == WB_F32) return 0;
  return f->type == WB_F64 || memcmp(is, &word, written) == 0 ? written : 0;
}

static bool half_written(const facts *f, wb_text *text) {
  if (f->type != WB_F64) return false;
  for (size_t w = 0; w < f->wrongs; w++)
    if (first_bytes(f, f->wrong[w]) != 4) return false;
  wb_text_add(text, "Only the first 4 of the 8 bytes of %s[%zu] are written: it is a double, no float.\n",
              f->name, f->wrong[0]);
  return true;
}

/* A copy that ends within an element, and what comes after it was never written. */
static bool partly_written(const facts *f, wb_text *text) {
  const size_t bytes = wb_type_bytes(f->type), first = f->wrong[0], written = first_bytes(f, first);
  if (!wb_is_whole(f) || f->wrongs < ENOUGH || f->written != 1 || written == 0) return false;
  wb_text_add(
      text,
      "Only the first %zu of the %zu bytes of %s[%zu] %s written, and none of the next elements: a copy of "
      "%zu "
      "bytes ended there, which is no number of whole elements. Is a number of elements counted among "
      "the bytes?\n",
      written, bytes, f->name, first, written == 1 ? "is" : "are", first * bytes + written);
  return true;
}

static bool lost_nan(const facts *f, wb_text *text) {
  for (size_t w = 0; w < f->wrongs; w++)
    if (!isnan(f->want[f->wrong[w]]) || isnan(f->is[f->wrong[w]])) return false;
  wb_text_add(text, "A NaN among the inputs got lost. 0 times NaN is NaN, so no product may be left out "
                    "because a factor is 0; and a comparison with NaN is false.\n");
  return true;
}

/* NaN where the result is a number, and elsewhere NaN is right. */
static bool spread_nan(const facts *f, wb_text *text) {
  size_t right = 0;
  for (size_t i = 0; i < f->count && !right; i++) right = isnan(f->want[i]);
  for (size_t w = 0; w < f->wrongs; w++)
    if (isnan(f->want[f->wrong[w]]) || !isnan(f->is[f->wrong[w]])) return false;
  if (!right) return false;
  wb_text_add(
      text, "A NaN among the inputs came into results that do not depend on it, and 0 times NaN is NaN. Does "
            "something read past the end of a row, where the next row begins? Put zeros there.\n");
  return true;
}

static bool lost_infinity(const facts *f, wb_text *text) {
  if (f->count == 1) return false; /* of many numbers the infinite one may be left out */
  for (size_t w = 0; w < f->wrongs; w++)
    if (isfinite(f->want[f->wrong[w]]) || !isfinite(f->is[f->wrong[w]])) return false;
  wb_text_add(text, "NaN and infinity became numbers: is a value cut to a range?\n");
  return true;
}

/* ---- Ratio and difference ---- */

/* A whole number from 2 to `most` that x is, or 0. */
static int whole_number(double x, int most) {
  const double nearest = round(x);
  return nearest >= 2 && nearest <= most && fabs(x - nearest) <= fmin(4e-6 * nearest, 1e-3) ? (int)nearest
                                                                                            : 0;
}

/* Whether the right value of the first wrong element depends on a factor of the case. What is in the padding of
 * a matrix depends on nothing. */
static bool uses_factor(const facts *f, int p) {
  wb_case other = *f->inputs;
  size_t w = 0;
  while (w + 1 < f->wrongs && wb_in_padding(&f->pattern->shape, f->wrong[w])) w++;
  other.param[p] *= 2;
  return f->task->expect(&other, f->array, f->wrong[w]).value != f->want[f->wrong[w]];
}

/* How often the ratio is a factor too many, from 2; 0: it is no such power. */
static int power_of(double ratio, double factor) {
  const double times = log(ratio) / log(factor), nearest = round(times);
  const bool near = fabs(times - nearest) < 1e-5 * (1 + 1 / fabs(log(factor)));
  return ratio > 0 && factor > 0 && nearest >= 2 && nearest < 1e5 && near ? (int)nearest : 0;
}

#define MANY 8 /* elements */

/* Adds a line where the ratio shows what happened to one of the case's random factors. */
static bool add_factor(const facts *f, double ratio, wb_text *text) {
  for (int p = 0; p < WB_MAX_PARAMS; p++) {
    const double factor = f->inputs->param[p], cut = trunc(factor);
    if (factor == 0 || factor == 1 || !uses_factor(f, p)) continue;
    /* Where inputs become outputs, a factor of 1 is also that of results that did not come back. */
    const bool untouched = f->task->arrays[f->array].role == WB_INOUT && fabs(ratio * factor - 1) <= 1e-5;
    if (untouched && f->wrongs < MANY) continue;
    if (!untouched && cut != factor && fabs(ratio * factor - cut) <= 1e-5 * fabs(factor)) {
      wb_text_add(text,
                  "The values are those for a factor of %g instead of %g: is the factor kept in an int?\n",
                  cut, factor);
      return true;
    }
    if (fabs(ratio - factor) <= 1e-5 * fabs(factor)) {
      wb_text_add(text, "The factor, %g, is in the values once too often.\n", factor);
      return true;
    }
    if (power_of(ratio, factor)) {
      wb_text_add(text,
                  "The factor, %g, is in the values %d times too often: does each of several threads do all "
                  "elements?\n",
                  factor, power_of(ratio, factor));
      return true;
    }
    if (fabs(ratio * factor - 1) <= 1e-5) {
      wb_text_add(text, "The factor, %g, is not in the values.\n", factor);
      return true;
    }
  }
  return false;
}

/* "n (1021)" for a size of the case that the ratio is, 8 at least. */
static bool add_dimension(const facts *f, double ratio, wb_text *text) {
  char name[32];
  for (int d = 0; d < wb_dims(f->task); d++) {
    const double n = (double)f->inputs->size.n[d];
    if (n < 8 || fabs(ratio - n) > 1e-5 * n) continue;
    wb_text_add(text, "%s (%g)", wb_cause_dimension(f->task, d, name, sizeof name), n);
    return true;
  }
  return false;
}

static void add_times(const facts *f, int times, wb_text *text) {
  wb_text_add(text, "The values are %d times as large as they must be: ", times);
  if (f->task->arrays[f->array].memory == WB_HOST && times == wb_cores())
    wb_text_add(text,
                "this machine has %d cores; does each thread do the whole loop, as in `omp parallel` without "
                "`for`? Or is something added %d times?\n",
                times, times);
  else
    wb_text_add(text, "%s?\n",
                times == 2 ? "is something added twice" : "does each of several threads add it all");
}

static void add_ratio(const facts *f, double ratio, wb_text *text) {
  wb_text part = {0};
  const int times = whole_number(ratio, 4096), share = whole_number(1 / ratio, 4096);
  if (add_factor(f, ratio, text)) return;
  if (ratio == -1)
    wb_text_add(text, "Only the sign is wrong.\n");
  else if (add_dimension(f, ratio, &part))
    wb_text_add(text, "The values are %s times as large as they must be.\n", wb_text_get(&part));
  else if (add_dimension(f, 1 / ratio, &part))
    wb_text_add(text, "The values are the right ones divided by %s.\n", wb_text_get(&part));
  else if (times)
    add_times(f, times, text);
  else if (share)
    wb_text_add(text, "The values are one %s of what they must be.\n",
                share == 2 ? "half" : wb_cause_ordinal(share));
  else
    wb_text_add(text,
                "The values are always %.6g times what they must be: a constant in the formula is "
                "wrong.\n",
                ratio);
  wb_text_free(&part);
}

/* Zeros, as for a factor below 1 that is kept in an int. */
static bool zeros_for_factor(const facts *f, wb_text *text) {
  if (f->task->arrays[f->array].role != WB_INOUT || wb_is_whole(f)) return false;
  for (size_t w = 0; w < f->wrongs; w++)
    if (f->is[f->wrong[w]] != 0) return false;
  for (int p = 0; p < WB_MAX_PARAMS; p++) {
    if (f->inputs->param[p] >= 1 || !uses_factor(f, p)) continue;
    wb_text_add(text, "The values are 0, as for a factor of 0 instead of %g: is the factor kept in an int?\n",
                f->inputs->param[p]);
    return true;
  }
  return false;
}

static bool constant_ratio(const facts *f, wb_text *text) {
  const double ratio = f->is[f->wrong[0]] / f->want[f->wrong[0]];
  if (!isfinite(ratio) || ratio == 0) return false;
  for (size_t w = 0; w < f->wrongs; w++)
    if (!wb_alike(f, f->wrong[w], ratio * f->want[f->wrong[w]])) return false;
  const bool telling =
      !wb_is_whole(f) && (ratio == -1 || whole_number(ratio, 64) || whole_number(1 / ratio, 64));
  wb_text dimension = {0};
  const bool one = wb_is_whole(f) && fabs(f->is[f->wrong[0]]) == 1; /* may be 1 for many reasons */
  const bool sized = !one && (add_dimension(f, ratio, &dimension) || add_dimension(f, 1 / ratio, &dimension));
  wb_text_free(&dimension);
  wb_text factor = {0};
  const bool known = telling || sized || (!wb_is_whole(f) && add_factor(f, ratio, &factor));
  wb_text_free(&factor);
  if ((f->wrongs < ENOUGH || different(f) < 2) && !known) return false;
  add_ratio(f, ratio, text);
  return true;
}

/* A whole number such as a count, and the next multiple of a size of the case. */
static bool multiple(const facts *f, wb_text *text) {
  const double is = f->is[f->wrong[0]], want = f->want[f->wrong[0]];
  char name[32];
  if (!wb_is_whole(f) || f->count > 1) return false;
  for (int d = 0; d < wb_dims(f->task); d++) {
    const double n = (double)f->inputs->size.n[d];
    if (n < LEAST_MULTIPLE || is < 1) continue;
    wb_cause_dimension(f->task, d, name, sizeof name);
    if (is == ceil(want / n) * n)
      wb_text_add(text, "It is rounded up to a multiple of %s (%g).\n", name, n);
    else if (want == ceil(is / n) * n)
      wb_text_add(text, "It must be a multiple of %s (%g).\n", name, n);
    else
      continue;
    return true;
  }
  return false;
}

static bool constant_difference(const facts *f, wb_text *text) {
  const double more = f->is[f->wrong[0]] - f->want[f->wrong[0]];
  if (f->wrongs < ENOUGH || different(f) < 2 || !isfinite(more)) return false;
  for (size_t w = 0; w < f->wrongs; w++)
    if (!wb_alike(f, f->wrong[w], f->want[f->wrong[w]] + more)) return false;
  wb_text_add(text, "Each of these values is %.6g too %s.\n", fabs(more), more > 0 ? "large" : "small");
  return true;
}

/* ---- Sums that go on ---- */

/* Whether every wrong element is its right value and, in addition, what stands `apart` places before it. */
static bool goes_on(const facts *f, size_t apart) {
  size_t telling = 0;
  for (size_t w = 0; w < f->wrongs; w++) {
    const size_t i = f->wrong[w];
    if (i < apart || !wb_alike(f, i, f->want[i] + f->is[i - apart])) return false;
    telling += f->is[i - apart] != 0;
  }
  return telling >= ENOUGH;
}

/* A sum that is not set to 0 where the next one begins: of the element before, or of a tile's place. */
static bool never_cleared(const facts *f, wb_text *text) {
  const size_t pitch = f->pattern->shape.pitch;
  static const char why[] = "a sum (or a tile of sums) goes on where the next one begins. Set it to 0 there";
  for (size_t rows = 1; f->pattern->shape.rows > 1 && rows <= 64 && rows * pitch < f->count; rows++)
    if (goes_on(f, rows * pitch)) {
      wb_text_add(text,
                  "Each of these values is the right one and, in addition, that of %zu row%s above it: %s.\n",
                  rows, rows == 1 ? "" : "s", why);
      return true;
    }
  for (size_t apart = 1; apart <= 1024 && apart < f->count; apart += apart < 8 ? 1 : apart < 64 ? 4 : apart)
    if (goes_on(f, apart)) {
      wb_text_add(text, "Each of these values is the right one and, in addition, %s[i - %zu]: %s.\n", f->name,
                  apart, why);
      return true;
    }
  return false;
}

/* ---- Rounded, cut off, overflowed ---- */

static double cut_off(const facts *f, size_t i) { return trunc(f->want[i]); }
static double as_float(const facts *f, size_t i) { return (float)f->want[i]; }
static double root_of(const facts *f, size_t i) { return sqrt(f->want[i]); }
static double square_of(const facts *f, size_t i) { return f->want[i] * f->want[i]; }
/* Whether the wrong elements are too small by a multiple of `unit`. */
static bool short_by(const facts *f, double unit) {
  for (size_t w = 0; w < f->wrongs; w++) {
    const double less = f->want[f->wrong[w]] - f->is[f->wrong[w]];
    if (!(less > 0) || fmod(less, unit) != 0) return false;
  }
  return true;
}

/* Numbers below 1 have no other digits: zeros alone show nothing. */
static bool all_zero(const facts *f) {
  for (size_t w = 0; w < f->wrongs; w++)
    if (f->is[f->wrong[w]] != 0) return false;
  return true;
}

static bool other_type(const facts *f, wb_text *text) {
  if (wb_is_whole(f)) {
    const bool words = short_by(f, 65536), bytes = !words && f->wrongs >= ENOUGH && short_by(f, 256);
    if (!bytes && !words) return false;
    wb_text_add(text, "The values are too small by multiples of %d: a counter of %d bits overflows.\n",
                bytes ? 256 : 65536, bytes ? 8 : 16);
    return true;
  }
  if (f->wrongs >= 2 && all(f, cut_off) && !all_zero(f)) {
    wb_text_add(text, "The values are the right ones without their fractions: are they converted to int?\n");
    return true;
  }
  if (f->type == WB_F64 && f->wrongs >= ENOUGH && all(f, as_float)) {
    wb_text_add(text, "The values are the right ones, rounded to float.\n");
    return true;
  }
  return false;
}

/* From some place on all elements are 0, and elements before it are neither 0 nor wrong. */
static bool zeros_from(const facts *f, wb_text *text) {
  size_t right = 0, last = 0;
  for (size_t i = 0; i < f->wrong[0]; i++)
    if (f->is[i] != 0) right++, last = i;
  if (f->wrongs < ENOUGH || right < 2 || f->pattern->shape.rows > 1) return false;
  for (size_t i = f->wrong[0]; i < f->count; i++)
    if (f->is[i] != 0) return false;
  wb_text_add(text,
              "From %s[%zu] on all elements are 0, and those up to %s[%zu] are right: do the threads of the "
              "others end before they add or write anything?\n",
              f->name, f->wrong[0], f->name, last);
  return true;
}

/* Numbers that nothing but a conversion makes whole. */
static bool whole_numbers(const facts *f, wb_text *text) {
  size_t others = 0;
  if (wb_is_whole(f) || f->wrongs < ENOUGH || all_zero(f)) return false;
  for (size_t w = 0; w < f->wrongs; w++) {
    const double is = f->is[f->wrong[w]], want = f->want[f->wrong[w]];
    if (is != trunc(is) || fabs(want) >= WB_LARGE_WHOLE || want == trunc(want)) return false;
    others += is != f->is[f->wrong[0]];
  }
  if (others == 0) return false;
  wb_text_add(text, "All of these are whole numbers: is a value, or a sum, kept in an int?\n");
  return true;
}

static bool root_or_square(const facts *f, wb_text *text) {
  if (wb_is_whole(f)) return false;
  const bool root = all(f, root_of);
  if (!root && !all(f, square_of)) return false;
  wb_text_add(text, root ? "The value is the square root of what it must be.\n"
                         : "The value is the square of what it must be.\n");
  return true;
}

/* The largest error of the wrong elements as a part of the largest right value; INFINITY where one is no
 * number. */
static double relative_error(const facts *f) {
  double error = 0, largest = 0;
  for (size_t w = 0; w < f->wrongs; w++) {
    const double e = fabs(f->is[f->wrong[w]] - f->want[f->wrong[w]]);
    if (!isfinite(e)) return INFINITY;
    error = fmax(error, e);
    largest = fmax(largest, fabs(f->want[f->wrong[w]]));
  }
  return largest > 0 ? error / largest : INFINITY;
}

static bool is_rounded_float(const facts *f, double error) {
  double tolerance = 0;
  for (size_t w = 0; w < f->wrongs; w++) tolerance = fmax(tolerance, f->tolerance[f->wrong[w]]);
  return f->type == WB_F32 && tolerance > 0 && error <= 1e-3;
}

/* So near to the right values that each of the other causes would seem to fit. */
static bool few_roundings(const facts *f, wb_text *text) {
  const double error = relative_error(f);
  if (!is_rounded_float(f, error) || error > 1e-6) return false;
  wb_text_add(
      text,
      "The error is only %.1g of the value: a few roundings more than are needed, as where a number is "
      "added and taken away again, or where one float takes up many numbers.\n",
      error);
  return true;
}

/* Some errors are up and some are down, as those of roundings; a value that was computed in another way differs in
 * one direction, or in few elements. */
static bool is_scattered(const facts *f) {
  size_t up = 0;
  for (size_t w = 0; w < f->wrongs; w++) up += f->is[f->wrong[w]] > f->want[f->wrong[w]];
  return f->wrongs >= 2 * ENOUGH && 5 * up >= f->wrongs && 5 * (f->wrongs - up) >= f->wrongs;
}

/* Rounding errors. In double they are as large as a float's only where a float takes part. */
static bool rounding(const facts *f, wb_text *text) {
  const double error = relative_error(f);
  if (f->type == WB_F64 && error < 2e-7 && error > 2e-10)
    wb_text_add(text,
                "The error is as small as %.1g of the value: about what a float rounds away. A part of "
                "the work is done in float.\n",
                error);
  else if (is_rounded_float(f, error) && (error < 5e-5 || is_scattered(f)))
    wb_text_add(text,
                "The error is %.1g of the value: some %.0f bits are right. A type with fewer bits than float "
                "took part, or one float took up many numbers one after the other.\n",
                error, floor(-log2(error)));
  else
    return false;
  return true;
}

/* ---- The same everywhere, and values of inputs ---- */

static bool from_input(const facts *f, wb_text *text) {
  if (f->wrongs < ENOUGH) return false;
  for (int a = 0; a < WB_MAX_ARRAYS && f->task->arrays[a].name; a++) {
    const wb_array *array = &f->task->arrays[a];
    const void *values = f->inputs->array[a];
    if (!values || a == f->array || array->count(f->inputs) != f->count) continue;
    size_t w = 0;
    while (w < f->wrongs && wb_alike(f, f->wrong[w], wb_element(array->type, values, f->wrong[w]))) w++;
    if (w < f->wrongs) continue;
    wb_text_add(text, "The wrong elements of %s have the values of %s.\n", f->name, array->name);
    return true;
  }
  return false;
}

/* The right value, and an element of an array in addition: of a place for sums that nothing set to 0, such as
 * d_work[1], or of an input that is added once too often. Values that are made from a wrong one can be others.
 * A value without a tolerance, such as a maximum, is no sum. */
static size_t added_to(const facts *f, int a) {
  if (f->want[f->wrong[0]] == 0) return 0; /* that is the element itself, not a sum */
  const wb_array *array = &f->task->arrays[a];
  const void *values = f->inputs->array[a];
  if (array->role == WB_OUT || array->type != f->type || !values) return 0;
  const size_t count = array->count(f->inputs);
  size_t agree = 0;
  for (size_t w = 0; w < f->wrongs && f->wrong[w] < count; w++) {
    const size_t i = f->wrong[w];
    const double more = wb_element(array->type, values, i), sum = f->want[i] + more;
    const bool alike =
        isfinite(sum) && f->tolerance[i] > 0 && fabs(more) > 1000 * f->tolerance[i] && wb_alike(f, i, sum);
    if (w == 0 && !alike) return 0;
    agree += alike;
  }
  return agree;
}

static bool input_added(const facts *f, wb_text *text) {
  if (wb_is_whole(f)) return false;
  for (int a = 0; a < WB_MAX_ARRAYS && f->task->arrays[a].name; a++) {
    const size_t agree = added_to(f, a), i = f->wrong[0];
    if (agree == 0 || 2 * agree < f->wrongs) continue;
    const wb_matrix shape = wb_shape(f->task, f->inputs, a);
    wb_add_place(text, f->name, &f->pattern->shape, i);
    wb_text_add(text, " is the right value and, in addition, ");
    wb_add_place(text, f->task->arrays[a].name, &shape, i);
    wb_text_add(text, ": was a place for a sum not set to 0, or this element added once too often?\n");
    return true;
  }
  return false;
}

static bool all_equal(const facts *f, wb_text *text) {
  if (f->wrongs < ENOUGH || different(f) < 2) return false;
  for (size_t w = 1; w < f->wrongs; w++)
    if (f->is[f->wrong[w]] != f->is[f->wrong[0]]) return false;
  const double value = f->is[f->wrong[0]];
  if (value == 0 && !wb_is_whole(f))
    wb_text_add(text,
                "All of these are 0: nothing was added to them, or a factor is 0, as 1 / 3 is in ints.\n");
  else
    wb_text_add(text, "All of these have the same value, %g.\n", value);
  return true;
}

/* ---- Nothing is written ---- */

/* A size is 0, and something must be written all the same. Where it must be 0, run/probe.c says so. */
static bool nothing_for_zero(const facts *f, wb_text *text) {
  char name[32];
  if (f->wrongs < f->count || f->written > 0) return false;
  for (size_t i = 0; i < f->count; i++)
    if (f->want[i] == 0) return false;
  for (int d = 0; d < wb_dims(f->task); d++) {
    if (f->inputs->size.n[d] > 0) continue;
    wb_cause_dimension(f->task, d, name, sizeof name);
    wb_text_add(
        text,
        "Nothing is written for %s = 0, but %s has %zu element%s then, too: is there a return for %s = 0?\n",
        name, f->name, f->count, f->count == 1 ? "" : "s", name);
    return true;
  }
  return false;
}

/* Whether NaN or an infinity is among the inputs. */
static bool special_inputs(const facts *f) {
  for (int a = 0; a < WB_MAX_ARRAYS && f->task->arrays[a].name; a++) {
    const wb_array *array = &f->task->arrays[a];
    const void *values = f->inputs->array[a];
    if (!values || (array->type != WB_F32 && array->type != WB_F64)) continue;
    for (size_t i = 0; i < array->count(f->inputs); i++)
      if (!isfinite(wb_element(array->type, values, i))) return true;
  }
  return false;
}

/* A NaN that the inputs do not explain is that of memory without a value. */
static bool never_written(const facts *f, wb_text *text) {
  for (size_t w = 0; w < f->wrongs; w++)
    if (!isnan(f->is[f->wrong[w]]) || isnan(f->want[f->wrong[w]])) return false;
  if (f->written == 0 || special_inputs(f)) return false; /* the report says so, or they come of these */
  wb_text_add(text, "They are NaN: something that was never written went into them.\n");
  return true;
}

/* ---- All of them ---- */

static bool (*const tests[])(const facts *f, wb_text *text) = {
    half_written,     spread_nan,     lost_infinity,       wb_cause_shifted,   few_roundings,
    zeros_for_factor, constant_ratio, constant_difference, other_type,         zeros_from,
    multiple,         whole_numbers,  root_or_square,      wb_cause_exchanged, from_input,
    wb_cause_fewer,   never_cleared,  input_added,         rounding,           all_equal,
};

bool wb_cause_of_rest(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
                      wb_text *text) {
  facts f = {0};
  if (verdict->array < 0 || !wb_cause_facts(task, inputs, got, verdict, &f)) return false;
  const bool found = f.pattern->shape.rows == 1 && wb_cause_wrong_rest(&f, text);
  wb_cause_forget(&f);
  return found;
}

bool wb_cause(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
              wb_text *text) {
  facts f = {0};
  if (verdict->array < 0 || !wb_cause_facts(task, inputs, got, verdict, &f)) return false;
  const bool padding = f.pattern->in_padding == f.wrongs; /* the picture says so */
  bool found = !padding && (wb_cause_left_out(&f, text) || partly_written(&f, text) ||
                            nothing_for_zero(&f, text) || lost_nan(&f, text));
  for (size_t t = 0; !found && !padding && f.written == f.wrongs && t < WB_COUNT(tests); t++)
    found = tests[t](&f, text);
  found = found || (!padding && never_written(&f, text));
  wb_cause_forget(&f);
  return found;
}

void wb_bands(const wb_task *task, const wb_case *inputs, void *const *got, wb_verdict *verdict,
              wb_text *text) {
  facts f = {0};
  if (verdict->array < 0 || !wb_cause_facts(task, inputs, got, verdict, &f)) return;
  wb_cause_bands(&f, text);
  wb_cause_forget(&f);
}
