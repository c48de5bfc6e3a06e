/* causes.c: see causes.h. Each known mistake has a value of its own, which is compared with the result. */
#include "causes.h"
#include "jit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Task 1 ---- */

static const char *cause_of_refusal(text_kind kind, double got) {
  if (got != 0) return "it is the status for a text that does not compile: cudaErrorInvalidSource (300)";
  return kind == TEXT_BAD_OPTION ? "it is the status for an option that no compiler has: did NVRTC get the "
                                   "caller's options, and is its result returned?"
                                 : "it is the status for a text that does not compile: is the result of "
                                   "nvrtcCompileProgram returned?";
}

const char *cause_of_text(text_kind kind, size_t seen, double got) {
  switch (seen) {
  case SEEN_STATUS:
    return cause_of_refusal(kind, got);
  case SEEN_NO_MODULE:
    return got == 0 ? "1 stands for *module = NULL, which it must be when the text was refused"
                    : "1 stands for *module = NULL, though the result was cudaSuccess";
  case SEEN_WORDS:
    return kind == TEXT_WARNING ? "the compiler's warning, 100% of a number, is not in the log: NVRTC has a "
                                  "log after a success, too, "
                                  "and a log is no format for printf"
           : kind == TEXT_MANY
               ? "the last of many messages is not in the log, though there was room for it: how long is the "
                 "log?"
               : "the compiler's message is not in the log: NVRTC has it when the compilation failed, too";
  case SEEN_DECOY:
    return "the log contains lines of the text that no message is about";
  case SEEN_LOG_END:
    return "there is no 0 in the log: it ends with one in each case, and is \"\" if there is nothing to say";
  case SEEN_SHORT_LOG:
    return "with room for few characters, or for 1, the log must be as many of the first ones as fit, and a "
           "0";
  case SEEN_AFTER_LOG:
    return "it is the number of characters written after the log's room, of log_size";
  default:
    return NULL;
  }
}

const char *cause_of_factor(text_kind kind, double got) {
  if (kind == TEXT_OPTIONS && got == -1)
    return "the text was compiled without the caller's options, or without the last of 42: NVRTC gets them "
           "all, after the architecture";
  return kind == TEXT_OPTIONS && got == 0
             ? "the text was compiled for another architecture than the current device's: give NVRTC "
               "--gpu-architecture, by the device's compute capability"
             : NULL;
}

/* ---- Task 2 ---- */

static const char *cause_of_room(double got) {
  static const char *const words[] = {
      "2 stands for room for 1 character, which gets the 0 and nothing else",
      "3 stands for room for 20 characters: where there is little room, the text must be its first "
      "characters, as many as fit, and a 0: 19 of them here",
      "4 stands for room for one character less than the text has: all but the last two of them fit, and a 0",
      "5 stands for room for as many characters as the text has: all but one in room for as many as it has, "
      "and a 0",
      "6 stands for room that is larger than the text: the whole text must be there, and a 0 after its last "
      "character"};
  const size_t which = (size_t)(got - WRONG_IN_ROOM_FOR_1);
  return got >= WRONG_IN_ROOM_FOR_1 && which < sizeof words / sizeof *words ? words[which] : NULL;
}

const char *cause_of_length(size_t seen, double got) {
  switch (seen) {
  case SEEN_LENGTHS:
    return "the result differs with the room: it is the length of the whole text in each case, also for size "
           "= 0";
  case SEEN_LENGTH:
    return "the result is not the length of the text without its 0";
  case SEEN_END:
    return "the text has no 0 at its end, though there was room for one";
  case SEEN_SHORT_TEXT:
    return cause_of_room(got);
  case SEEN_AFTER_TEXT:
    return "it is the number of characters written after the text's room, of size";
  default:
    return NULL;
  }
}

/* A coefficient after it was printed and read. */
static float printed(float value, const char *format) {
  char text[128];
  snprintf(text, sizeof text, format, value);
  return strtof(text, NULL);
}

static int same(float a, float b) { return a == b || (isnan(a) && isnan(b)); }

typedef float step(float y, float x, float c);
static float fused(float y, float x, float c) { return fmaf(y, x, c); }
static float rounded_twice(float y, float x, float c) {
  volatile float product = y * x;
  return product + c;
}

/* Horner's rule from coefficient `first` down to `last`. */
static float horner(const float *c, size_t first, size_t last, float x, step *next, const char *format) {
  float y = format ? printed(c[first], format) : c[first];
  for (size_t k = first; k-- > last;) y = next(y, x, format ? printed(c[k], format) : c[k]);
  return y;
}

/* The same, rounded to float at the end alone. */
static float horner_in_double(const float *c, size_t degree, float x) {
  double y = c[degree];
  for (size_t k = degree; k-- > 0;) y = fma(y, x, c[k]);
  return (float)y;
}

/* The same from fmaf(0, x, c[degree]) on. */
static float horner_from_zero(const float *c, size_t degree, float x) {
  float y = 0;
  for (size_t k = degree + 1; k-- > 0;) y = fmaf(y, x, c[k]);
  return y;
}

/* All roundings that give this value: one value shows no more. */
static const char *cause_of_rounding(const float *c, size_t degree, float x, float got) {
  static const char *const formats[] = {"%f", "%g", "%.7g", "%.7e", "%.8f", "%.8g"};
  static char text[320];
  const int twice = same(got, horner(c, degree, 0, x, rounded_twice, NULL));
  const int wide = same(got, horner_in_double(c, degree, x));
  int cut = 0;
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
    cut = cut || same(got, horner(c, degree, 0, x, fused, formats[i])) ||
          (!twice && same(got, horner(c, degree, 0, x, rounded_twice, formats[i])));
  snprintf(text, sizeof text, "%s%s%s%s%s",
           twice ? "each step rounds twice, a product, then a sum, where one fmaf rounds once" : "",
           twice && wide ? "; or " : "",
           wide ? "the sum is kept in double, and rounded only at the end: each fmaf rounds it to float" : "",
           (twice || wide) && cut ? "; or " : "",
           cut ? "it is the value with coefficients that lost digits when they were printed: %f and %g keep "
                 "six, nine keep every bit"
               : "");
  return twice || wide || cut ? text : NULL;
}

const char *cause_of_value(const float *c, size_t degree, float x, float got) {
  const float exact = horner(c, degree, 0, x, fused, NULL);
  if (got == 0 && exact == 0 && degree == 0 && !signbit(got) != !signbit(exact))
    return "the sign of a zero got lost: -0 == 0 is true, so a test for 0 takes -0, too; or the rule begins "
           "with "
           "fmaf(0, x, c[degree]) in the place of c[degree]";
  if (isnan(got) && !isnan(exact) && isnan(horner_from_zero(c, degree, x)))
    return "the rule begins with fmaf(0, x, c[degree]), which is NaN for an infinite x: it begins with "
           "c[degree]";
  if (got == 0 && exact == 0 && !signbit(got) != !signbit(exact))
    return "the sign of a zero got lost: -0 == 0 is true, so a test for 0 takes -0, too; and fmaf(y, x, 0) "
           "is 0 "
           "where y * x is -0";
  if (isinf(exact) && got == -exact) return "the sign of an infinite coefficient got lost";
  if (got == 0 && fabsf(exact) < 0x1p-126f && exact != 0)
    return "a denormal coefficient became 0: the kernel computes with such numbers";
  const char *rounding = cause_of_rounding(c, degree, x, got);
  if (rounding) return rounding;
  if (degree > 0) {
    float reversed = c[0], truncated = (float)(int)c[degree];
    for (size_t k = 1; k <= degree; k++) reversed = fmaf(reversed, x, c[k]);
    for (size_t k = degree; k-- > 0;) truncated = fmaf(truncated, x, (float)(int)c[k]);
    if (same(got, reversed))
      return "it is the value with the coefficients in reverse order: c[0] is the constant";
    if (same(got, truncated)) return "it is the value with coefficients that were cut to whole numbers";
    if (same(got, horner(c, degree - 1, 0, x, fused, NULL)))
      return "it is the value without c[degree]: a polynomial has degree + 1 coefficients";
    if (same(got, horner(c, degree, 1, x, fused, NULL))) return "it is the value without c[0], the constant";
    if (same(got, horner(c, degree, 0, x, fused, NULL) * x))
      return "it is the value times x: a step too many";
  }
  const float right = horner(c, degree, 0, x, fused, NULL);
  if (isfinite(right) && fabsf(got - right) <= 1e-4f * fabsf(right))
    return "the difference is small: has each coefficient the same bits in the text, and is each step one "
           "fmaf?";
  return NULL;
}

/* ---- Task 3 ---- */

/* Whether source and options of two requests, one after the other, are the same characters. */
static int is_joined_the_same(const request *a, const request *b) {
  static char one[SOURCE_SIZE + OPTIONS_SIZE], two[SOURCE_SIZE + OPTIONS_SIZE];
  write_source(a->source, one, SOURCE_SIZE);
  write_source(b->source, two, SOURCE_SIZE);
  write_options(a->options, one + strlen(one), OPTIONS_SIZE);
  write_options(b->options, two + strlen(two), OPTIONS_SIZE);
  return strcmp(one, two) == 0;
}

static int is_glued(const request *r) { return r->source >= GLUED_SOURCES || r->device >= DEVICES; }

static const char *which_is_forgotten(const request *now, const request *other) {
  if (now->cache != other->cache)
    return "it is a kernel of another cache: a cache has no state outside of its struct";
  if (now->source >= HASHED_SOURCES && other->source >= HASHED_SOURCES)
    return "it is the kernel of another source with the same hash: two texts may have the same 64 bits. "
           "Compare all characters";
  if (is_glued(now) || is_glued(other))
    return "it is the kernel of another request, whose texts and device are the same characters only when "
           "they "
           "are joined to one text: any character may be in a text, so the parts of a key stay apart";
  if (now->source != other->source && now->options == other->options && is_between(now->source) &&
      is_between(other->source))
    return "it is the kernel of another source: the two texts have the same length, and differ only between "
           "their beginnings and their ends. Compare all characters";
  if (now->source > 12 && other->source > 12 && now->source != other->source &&
      now->options == other->options)
    return "it is the kernel of another source: the two texts differ after thousands of characters. "
           "Compare all of them";
  if (now->source != other->source)
    return now->options == other->options
               ? "it is the kernel of another source: compare all characters, and copy the text: the caller "
                 "overwrites it"
           : is_joined_the_same(now, other)
               ? "it is the kernel of another source with other options: a source and its options are two "
                 "texts"
               : "it is the kernel of another source with other options. All texts came at the same "
                 "addresses, for the caller overwrites them: compare characters, with those of copies";
  if (now->options != other->options) return "it is a kernel of the same source with other options";
  return now->device != other->device ? "it is a kernel of the same source for another device" : NULL;
}

const char *cause_of_kernel(const asked *a, const request *other, double got) {
  uint64_t not_written;
  memset(&not_written, NOT_WRITTEN, sizeof not_written);
  if (a->status && a->repeated)
    return "build failed for this before, so it must be built again: what it wrote to *kernel is not kept";
  if (a->status) return "the number stands for *kernel, which must be NULL when build failed";
  if (other) return which_is_forgotten(&a->now, other);
  if (a->now.source == NULL_SOURCE) return NULL;
  if (got == (uint32_t)(not_written / 16))
    return "it is what the caller's variable held before the call: either nothing was written to *kernel, or "
           "the cache keeps the pointer, whose variable the caller uses again, in the place of the kernel";
  return a->is_new ? NULL
                   : "this cache was asked for the same before: it must give the same kernel, without build";
}

const char *cause_of_builds(const asked *a, double got) {
  if (got > a->builds && a->now.source == NULL_SOURCE && !a->is_new)
    return "build succeeded for this before, and gave NULL as the kernel: it is kept as any other is";
  if (got < a->builds && a->status)
    return "a source that could not be built was not built again: failures are not kept";
  if (got < a->builds)
    return "it is the number of calls of build: one was left out, though this was never built";
  return a->is_new ? "it is the number of calls of build: more than one for a kernel"
                   : "it is the number of calls of build: something was built again that the cache had";
}

const char *cause_of_status(const asked *a, double got) {
  if (got == cudaErrorInvalidValue)
    return "it is the status of build, which was not called with the caller's source, options and device";
  return a->status ? "build failed with cudaErrorInvalidSource (300): return its error" : NULL;
}

/* ---- Task 4 ---- */

static int compare(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* A mistake: the difference may not fit. */
static int compare_by_difference(const void *a, const void *b) {
  return (int)(*(const uint32_t *)a - *(const uint32_t *)b);
}

typedef int comparison(const void *a, const void *b);

/* Element `which` of values[first .. count - 1] in the order of a comparison. */
static uint64_t ordered(const uint32_t *values, size_t first, size_t count, size_t which, comparison *by) {
  uint32_t *sorted = malloc(count * sizeof *sorted);
  if (!sorted) abort();
  memcpy(sorted, values + first, (count - first) * sizeof *sorted);
  qsort(sorted, count - first, sizeof *sorted, by);
  const uint64_t value = sorted[which];
  free(sorted);
  return value;
}

static uint64_t ranked(const uint32_t *values, size_t first, size_t count, size_t which) {
  return ordered(values, first, count, which, compare);
}

static uint64_t median(const uint32_t *values, size_t first, size_t count) {
  return ranked(values, first, count, (count - first) / 2);
}

static uint64_t mean(const uint32_t *values, size_t first, size_t count) {
  uint64_t sum = 0;
  for (size_t i = first; i < count; i++) sum += values[i];
  return sum / (count - first);
}

/* first + (k - 1) s <= k g */
static uint64_t smallest(uint64_t first, uint64_t g, uint64_t s) {
  if (first <= g) return 1;
  return s < g ? (first - s + (g - s) - 1) / (g - s) : 0;
}

uint64_t break_even(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count) {
  return smallest(special_ns[0], median(generic_ns, 1, count), median(special_ns, 1, count));
}

const char *cause_of_calls(const uint32_t *generic_ns, const uint32_t *special_ns, size_t count, double got) {
  const uint64_t g = median(generic_ns, 1, count), s = median(special_ns, 1, count), first = special_ns[0];
  const uint64_t right = smallest(first, g, s), calls = got >= 0 && got < 0x1p53 ? (uint64_t)got : UINT64_MAX;
  if (right == 0)
    return "there is no such number of calls: a call of the special kernel gains nothing. It is 0 then";
  if (first <= g)
    return "the first call already takes no longer than a generic one: the smallest number is 1";
  if (calls == (uint32_t)right || calls == (uint32_t)((uint32_t)(first - s + g - s - 1) / (uint32_t)(g - s)))
    return "a sum or product of nanoseconds passes 2^32 here: compute in uint64_t";
  const size_t middle = (count - 1) / 2;
  if (calls == smallest(first, ordered(generic_ns, 1, count, middle, compare_by_difference),
                        ordered(special_ns, 1, count, middle, compare_by_difference)))
    return "it is the value by times that were sorted by their differences: times that lie more than 2^31 "
           "apart have a difference that no int holds. Compare them by <";
  const int by_float = calls == (uint64_t)ceilf((float)(first - s) / (float)(g - s));
  if (calls + 1 == right)
    return (first - s) % (g - s) == 0
               ? "so many calls do not pay yet: they must gain first - s. Is it first - g?"
           : by_float
               ? "so many calls do not pay yet: round up; the calls must gain first - s, not first - g; "
                 "and divide integers, since a float holds 24 bits"
               : "so many calls do not pay yet: round up; the calls must gain first - s, not first - g";
  if (by_float)
    return "it is the value by floats, which hold 24 bits: divide integers, for the times have up to 32";
  if (calls == (first + (g - s) - 1) / (g - s))
    return "the first call of the special kernel is a call, too: the rest of it, first - s, is what "
           "compiling costs";
  if (calls == first / (g - s) + 1 || calls == (first - s) / (g - s) + 1)
    return "one call too many: the smallest number of calls after which the times are equal already counts";
  if (calls == smallest(first, mean(generic_ns, 1, count), mean(special_ns, 1, count)) ||
      calls == smallest(first, mean(generic_ns, 0, count), mean(special_ns, 1, count)))
    return "it is the value by means: one disturbed call spoils a mean, and the contract asks for medians";
  if (calls == smallest(first / 1000, g / 1000, s / 1000))
    return "it is the value by whole microseconds: compute in nanoseconds, and divide once, at the end";
  for (size_t k = middle > 0 ? middle - 1 : 0; k <= middle + 1 && k < count - 1; k++)
    if (k != middle &&
        calls == smallest(first, ranked(generic_ns, 1, count, k), ranked(special_ns, 1, count, k)))
      return "it is the value by the times next to those in the middle: of 2 m + 1 sorted times the median "
             "is number m, counted from 0. Are the first calls left out?";
  if (calls == smallest(first, median(generic_ns, 0, count), median(special_ns, 0, count)) ||
      calls == smallest(first, median(generic_ns, 0, count), s) ||
      calls == smallest(first, g, median(special_ns, 0, count)))
    return "it is the value with the first calls counted in the medians: leave them out";
  if (calls == smallest(first, ranked(generic_ns, 1, count, 0), ranked(special_ns, 1, count, 0)))
    return "it is the value by the smallest times: the contract asks for medians";
  if (calls == smallest(first, generic_ns[count - 1], special_ns[count - 1]) ||
      calls == smallest(first, generic_ns[1 + (count - 1) / 2], special_ns[1 + (count - 1) / 2]))
    return "it is the value by single calls: sort the times, then take the one in the middle";
  return NULL;
}
