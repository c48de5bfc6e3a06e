/*
 * lesson06, atomics: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; atomics.h says what you write in atomics.cu.
 */
#include "atomics.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"

#include <math.h>
#include <string.h>

static size_t count_n(const wb_case *c) { return c->size.n[N]; }
static size_t count_one(const wb_case *c) { return (void)c, 1; }
static size_t count_bins(const wb_case *c) { return (void)c, BINS; }
static size_t count_work(const wb_case *c) { return (void)c, WORK_COUNT; }

/* ---- The learner's functions ---- */

#define IN_FEW_BLOCKS  1048583 /* bytes, on a device with one multiprocessor */
#define ON_TWO_DEVICES 1200011 /* numbers, whose sum may not depend on the device */

static int call_global(const wb_case *c) {
  return maximum_global(wb_i32(c, D_X), c->size.n[N], wb_i32(c, D_RESULT));
}

static int call_block(const wb_case *c) {
  return maximum_block(wb_f32(c, D_X), c->size.n[N], wb_f32(c, D_RESULT));
}

static int call_histogram(const wb_case *c) {
  if (c->size.n[N] == IN_FEW_BLOCKS) wb_pretend_multiprocessors(1);
  const int status = histogram(wb_u8(c, D_X), c->size.n[N], wb_u32(c, D_RESULT));
  wb_pretend_multiprocessors(0);
  return status;
}

static int call_sum(const wb_case *c) {
  uint32_t bits, bits_elsewhere;
  const int status = sum(wb_f32(c, D_X), c->size.n[N], wb_f32(c, D_RESULT), wb_f32(c, D_WORK));
  if (status || c->size.n[N] != ON_TWO_DEVICES || !wb_pretend_multiprocessors(132)) return status;
  cudaMemcpy(&bits, wb_f32(c, D_RESULT), sizeof bits, cudaMemcpyDeviceToHost);
  const int elsewhere = sum(wb_f32(c, D_X), c->size.n[N], wb_f32(c, D_RESULT), wb_f32(c, D_WORK));
  cudaMemcpy(&bits_elsewhere, wb_f32(c, D_RESULT), sizeof bits, cudaMemcpyDeviceToHost);
  wb_pretend_multiprocessors(0);
  if (bits != bits_elsewhere)
    wb_complain("gave other bits on a device with 132 multiprocessors than with 16");
  return elsewhere;
}

/* ---- Which values ---- */

/* The number VALUES of a size. Random integers and floats have both signs, random bytes are a little more
 * often small; all other values are derived from them. */
enum { RANDOM = 1, NEGATIVE, WITH_NANS, INFINITE, ONE_POSITIVE, LAST_NAN, ALL_NAN, ONE_NUMBER, LARGEST_LAST };
enum { ALL_EQUAL = 2, FEW };
enum { TINY_PARTS = 2, EQUAL_PARTS };
enum { PLUS_ZEROS = LARGEST_LAST + 1, MINUS_ZEROS, PLUS_INFINITY };

static int shape_integers(const wb_case *c, int array, void *values) {
  int32_t *x = values;
  if (array == D_X && c->size.n[VALUES] == LARGEST_LAST && c->size.n[N])
    return x[c->size.n[N] - 1] = 1 << 24, 1;
  if (array != D_X || c->size.n[VALUES] != NEGATIVE) return 0;
  for (size_t i = 0; i < c->size.n[N]; i++) x[i] = x[i] < 0 ? x[i] : -x[i];
  return 1;
}

/*
 * With NaNs: every other element is a NaN, of either sign; the others are negative, so that a 0 from an
 * earlier step cannot pass for the answer. Last NaN: every fifth, from the first on, and the last, so that
 * NaNs are at every place of a vector. One number: NaNs but for one element, anywhere. Infinite: minus
 * infinity, and one -0.0, which is larger. Plus infinity: one, anywhere among negative numbers. One positive: in
 * the middle, so that blocks of negative numbers come before it and after it. Plus and minus zeros: the same, but
 * every seventh is a zero of that sign, so the largest of most blocks is just this zero. Largest last: the last
 * element is larger than all others, so that a large case shows whether its end was looked at.
 */
static int shape_floats(const wb_case *c, int array, void *values) {
  float *x = values;
  const size_t kind = c->size.n[VALUES];
  const size_t n = c->size.n[N], only = n ? (size_t)(c->param[0] * 1e6) % n : 0;
  if (array == D_X && kind == LARGEST_LAST && n) return x[n - 1] = 3, 1;
  const int zeros = kind == PLUS_ZEROS || kind == MINUS_ZEROS;
  if (array != D_X || ((kind < NEGATIVE || kind > ONE_NUMBER) && kind < PLUS_ZEROS)) return 0;
  for (size_t i = 0; i < n; i++) {
    if ((kind == WITH_NANS && i % 2) || (kind == LAST_NAN && (i % 5 == 0 || i == n - 1)) || kind == ALL_NAN ||
        (kind == ONE_NUMBER && i != only))
      x[i] = copysignf(NAN, x[i]);
    else
      x[i] = kind == INFINITE ? -INFINITY : -fabsf(x[i]);
  }
  if (kind == PLUS_INFINITY) x[only] = INFINITY;
  if (kind == INFINITE && c->size.n[N] > 1) x[c->size.n[N] / 2] = -0.0f;
  for (size_t i = 3; zeros && i < n; i += 7) x[i] = kind == PLUS_ZEROS ? 0.0f : -0.0f;
  if (zeros && n > 1) x[n / 2] = -0.75f;
  if ((kind == ONE_POSITIVE || zeros) && n > 1) x[n / 2] *= -1;
  return 1;
}

static int shape_bytes(const wb_case *c, int array, void *values) {
  uint8_t *x = values;
  const size_t kind = c->size.n[VALUES];
  if (array != D_X || kind < ALL_EQUAL || kind > FEW) return 0;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, D_X, part);
  for (int p = 0; p < parts; p++)
    for (size_t i = part[p].first; i < part[p].last; i++)
      x[i] = kind == ALL_EQUAL ? x[0] : x[i] & 1 ? 255 : x[i] & 2 ? 254 : 0;
  return 1;
}

/*
 * Where the sums of many parts are added one after the other, rounding must show: the first number is 1, all
 * others are equal, and 1 and the sum of a hundredth of them rounds to 1. In a tree the small ones meet each
 * other first. Where all numbers are equal, each addition to a long running sum rounds the same way, in every
 * thread alike.
 */
static int shape_sum(const wb_case *c, int array, void *values) {
  float *x = values;
  const size_t n = c->size.n[N];
  const int equal = c->size.n[VALUES] == EQUAL_PARTS;
  if (array != D_X || (c->size.n[VALUES] != TINY_PARTS && !equal)) return 0;
  const double all = WB_EPS32 * (50 + 35 * c->param[0]); /* more than the tolerance */
  for (size_t i = 0; i < n; i++) x[i] = equal ? 1.0f / 3 : i == 0 ? 1 : (float)(all / (double)n);
  return 1;
}

/* ---- What is right ---- */

/* The maximum is one of the numbers: nothing is rounded. */
static wb_expected expect_integer(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  const int32_t *x = wb_i32(c, D_X);
  int32_t largest = INT32_MIN;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, D_X, part);
  for (int p = 0; p < parts; p++)
    for (size_t k = part[p].first; k < part[p].last; k++) largest = x[k] > largest ? x[k] : largest;
  return (wb_expected){.value = largest, .tolerance = 0};
}

static wb_expected expect_float(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  const float *x = wb_f32(c, D_X);
  float largest = -INFINITY;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, D_X, part);
  for (int p = 0; p < parts; p++)
    for (size_t k = part[p].first; k < part[p].last; k++)
      largest = x[k] > largest ? x[k] : largest; /* false for a NaN */
  return (wb_expected){.value = largest, .tolerance = 0};
}

/* Counts are exact. The first request of a case computes all of them; the case is recognised by its random
 * factors, which are new for every call. Each thread of the harness that checks has its own set. */
static wb_expected expect_count(const wb_case *c, int array, size_t v) {
  static _Thread_local uint32_t counts[BINS];
  static _Thread_local double known[WB_MAX_PARAMS];
  static _Thread_local size_t known_n;
  (void)array;
  if (known_n != c->size.n[N] || memcmp(known, c->param, sizeof known) != 0) {
    const uint8_t *x = wb_u8(c, D_X);
    memset(counts, 0, sizeof counts);
    wb_part part[WB_MAX_PARTS];
    const int parts = wb_parts(c, D_X, part);
    for (int p = 0; p < parts; p++)
      for (size_t k = part[p].first; k < part[p].last; k++) counts[x[k]] += (uint32_t)part[p].times;
    memcpy(known, c->param, sizeof known);
    known_n = c->size.n[N];
  }
  return (wb_expected){.value = counts[v], .tolerance = 0};
}

/*
 * An addition in float rounds its result by at most WB_EPS32 of it. An element that goes through k additions
 * on its way into the sum carries at most k of those roundings, in any order: the error of the sum is at most
 * k * WB_EPS32 times the sum of the magnitudes (Higham, Accuracy and Stability of Numerical
 * Algorithms, 4.2; 1.001 for the products of roundings). atomics.h allows 2 + n / 2^18 + 40: a thread's part,
 * then trees. One running sum over all elements would take n, and may be off by more than that.
 */
static wb_expected expect_sum(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  const float *x = wb_f32(c, D_X);
  double total = 0, magnitudes = 0;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, D_X, part);
  for (int p = 0; p < parts; p++)
    for (size_t k = part[p].first; k < part[p].last; k++) {
      total += part[p].times * x[k];
      magnitudes += part[p].times * fabs(x[k]);
    }
  const double additions = 2 + (double)c->size.n[N] / (1 << 18) + 40;
  return (wb_expected){.value = total, .tolerance = 1.001 * additions * WB_EPS32 * magnitudes};
}

static const char *cause_integer(const wb_case *c, int array, size_t i, double got) {
  return cause_of_integer(c, expect_integer(c, array, i).value, got);
}

static const char *cause_float(const wb_case *c, int array, size_t i, double got) {
  return cause_of_float(c, expect_float(c, array, i).value, got);
}

/* Whether most values below 128 are among the bytes. */
static int counted_below(const wb_case *c, int array) {
  size_t values = 0;
  for (size_t v = 0; v < BINS / 2; v++) values += expect_count(c, array, v).value > 0;
  return values > BINS / 4;
}

/* Where the first wrong count is shows what was made of the upper bit of a byte. */
static const char *cause_count(const wb_case *c, int array, size_t v, double got) {
  const double want = expect_count(c, array, v).value;
  const char *again = cause_of_rest_again(c, v, want, got);
  if (again) return again;
  if (v >= BINS / 2)
    return got == 0 && counted_below(c, array)
               ? "bytes of 128 and more are not counted: as signed char (char is one here) they are negative"
               : NULL;
  const double other = expect_count(c, array, v + BINS / 2).value;
  if (other > 0 && got == want + other)
    return "it is the number of two values together, this one and the one that is 128 larger: the upper bit "
           "of each "
           "byte got lost, as with & 0x7f";
  return NULL;
}

static const char *cause_sum(const wb_case *c, int array, size_t i, double got) {
  if (c->size.n[N] == 0)
    return "there are no numbers, so what is added was in d_work or in d_sum before the call: add only what "
           "blocks of this call wrote";
  const double error = fabs(got - expect_sum(c, array, i).value);
  if (c->size.n[VALUES] == EQUAL_PARTS && error < 1e-2 * expect_sum(c, array, i).value)
    return "all numbers are equal here: where many are added one after the other, each is rounded the same "
           "way; "
           "more additions in a row than atomics.h allows";
  if (c->size.n[VALUES] != TINY_PARTS || error > 1e-3) return NULL;
  return "the first number is 1, all others are tiny: where the sums of parts are added to it one after the "
         "other, each is rounded away; more additions in a row than atomics.h allows";
}

/* ---- Sizes: n, and which values ---- */

/* No elements; one; less than a warp; around a block; a prime; around 16 blocks and around 16 bytes a thread;
 * more bytes of one value in a block than 16 bits count; for sum, more than WORK_COUNT blocks of 256; the
 * largest last in whole blocks of a power of two and of 96, so that their last warps must be asked. */
static const wb_size integer_sizes[] = {{{0, 1}},      {{1, 1}},      {{31, 2}},   {{255, 1}},
                                        {{257, 2}},    {{1021, 2}},   {{1027, 2}}, {{4095, 1}},
                                        {{100003, 2}}, {{300007, 1}}, {{8192, 9}}, {{9216, 9}}};
static const wb_size float_sizes[] = {
    {{0, 1}},    {{1, 1}},    {{3, 2}},      {{31, 3}},     {{255, 4}},    {{257, 2}},  {{1021, 3}},
    {{4095, 1}}, {{4099, 2}}, {{65537, 4}},  {{100003, 5}}, {{300007, 3}}, {{1, 7}},    {{1025, 6}},
    {{1027, 8}}, {{2049, 6}}, {{5000, 7}},   {{65539, 8}},  {{5, 6}},      {{6, 6}},    {{7, 6}},
    {{8192, 9}}, {{9216, 9}}, {{50021, 10}}, {{50021, 11}}, {{1, 12}},     {{4100, 12}}};
static const wb_size byte_sizes[] = {
    {{0, 1}},    {{1, 1}},    {{15, 3}},     {{17, 2}},           {{255, 1}},
    {{257, 2}},  {{1021, 3}}, {{65535, 1}},  {{100003, 2}},       {{1000003, 1}},
    {{1027, 2}}, {{2049, 3}}, {{131077, 2}}, {{IN_FEW_BLOCKS, 2}}};
static const wb_size sum_sizes[] = {{{0, 1}},       {{1, 1}},       {{3, 1}},       {{255, 1}},
                                    {{257, 1}},     {{1021, 1}},    {{1025, 1}},    {{1026, 1}},
                                    {{1027, 1}},    {{2049, 1}},    {{16383, 1}},   {{16387, 1}},
                                    {{1200007, 1}}, {{1200007, 2}}, {{1200007, 3}}, {{ON_TWO_DEVICES, 1}}};

/* ---- Baselines ---- */

static const wb_baseline global_baselines[] = {
    {"cub", "cub::DeviceReduce::Max of the same integers", cub_maximum_of_integers_call, NULL}};
static const wb_baseline block_baselines[] = {
    {"cub", "cub::DeviceReduce::Max of the same floats", cub_maximum_call, NULL}};
static const wb_baseline histogram_baselines[] = {
    {"cub", "cub::DeviceHistogram::HistogramEven of the same bytes", cub_histogram_call, NULL}};
static const wb_baseline sum_baselines[] = {
    {"cub", "cub::DeviceReduce::Sum of the same floats", cub_sum_call, NULL}};

/* Every element is read once. */
static double bytes_words(const wb_case *c) { return 4.0 * (double)c->size.n[N]; }
static double bytes_bytes(const wb_case *c) { return (double)c->size.n[N]; }

/* ---- CPU baselines ---- */

static void integers_cpu(const wb_case *c) {
  const int32_t *x = wb_i32(c, D_X);
  int32_t largest = INT32_MIN;
#pragma omp parallel for simd reduction(max : largest)
  for (size_t i = 0; i < c->size.n[N]; i++) largest = x[i] > largest ? x[i] : largest;
  wb_i32(c, D_RESULT)[0] = largest;
}

static void floats_cpu(const wb_case *c) {
  const float *x = wb_f32(c, D_X);
  float largest = -INFINITY;
#pragma omp parallel for simd reduction(max : largest)
  for (size_t i = 0; i < c->size.n[N]; i++) largest = x[i] > largest ? x[i] : largest;
  wb_f32(c, D_RESULT)[0] = largest;
}

static void histogram_cpu(const wb_case *c) {
  const uint8_t *x = wb_u8(c, D_X);
  uint32_t counts[BINS] = {0};
#pragma omp parallel for reduction(+ : counts)
  for (size_t i = 0; i < c->size.n[N]; i++) counts[x[i]]++;
  memcpy(wb_u32(c, D_RESULT), counts, sizeof counts);
}

static void sum_cpu(const wb_case *c) {
  const float *x = wb_f32(c, D_X);
  double total = 0;
#pragma omp parallel for simd reduction(+ : total)
  for (size_t i = 0; i < c->size.n[N]; i++) total += x[i];
  wb_f32(c, D_RESULT)[0] = (float)total;
}

/* ---- The table ---- */

static const wb_task tasks[] = {
    {.name = "maximum_global",
     .what = "the largest integer, one global atomic an element",
     .number = 1,
     .dims = "n values",
     .arrays = {{"d_x", WB_IN, WB_DEVICE, WB_I32, count_n}, {"d_max", WB_OUT, WB_DEVICE, WB_I32, count_one}},
     .sizes = integer_sizes,
     .size_count = WB_COUNT(integer_sizes),
     .timed = {{1 << 26, RANDOM}},
     .large = {{(1u << 29) + 3, LARGEST_LAST}},
     .huge = {{(1u << 31) + 11, LARGEST_LAST}},
     .reach = {{{((size_t)65 << 25) + 11, LARGEST_LAST}}},
     .trace = {{100003, RANDOM}},
     .call = call_global,
     .expect = expect_integer,
     .cause = cause_integer,
     .shape = shape_integers,
     .bytes = bytes_words,
     .baselines = global_baselines,
     .baseline_count = WB_COUNT(global_baselines),
     .cpu = integers_cpu},
    {.name = "maximum_block",
     .what = "the largest float, one global atomic a block",
     .number = 2,
     .dims = "n values",
     .arrays = {{"d_x", WB_IN, WB_DEVICE, WB_F32, count_n}, {"d_max", WB_OUT, WB_DEVICE, WB_F32, count_one}},
     .sizes = float_sizes,
     .size_count = WB_COUNT(float_sizes),
     .timed = {{1 << 26, RANDOM}},
     .large = {{(1u << 29) + 3, LARGEST_LAST}},
     .huge = {{(1u << 31) + 11, LARGEST_LAST}},
     .reach = {{{((size_t)65 << 25) + 16, LARGEST_LAST}}}, /* no rest, which the first block may take */
     .trace = {{500003, RANDOM}},
     .call = call_block,
     .expect = expect_float,
     .cause = cause_float,
     .shape = shape_floats,
     .bytes = bytes_words,
     .baselines = block_baselines,
     .baseline_count = WB_COUNT(block_baselines),
     .cpu = floats_cpu},
    {.name = "histogram",
     .what = "how often each byte occurs, counted in shared memory first",
     .number = 3,
     .dims = "n values",
     .arrays = {{"d_x", WB_IN, WB_DEVICE, WB_U8, count_n},
                {"d_counts", WB_OUT, WB_DEVICE, WB_U32, count_bins}},
     .sizes = byte_sizes,
     .size_count = WB_COUNT(byte_sizes),
     .timed = {{1 << 28, RANDOM}},
     /* An index of 32 bits that goes on in strides never ends here, and no count of 16 bits suffices. */
     .large = {{UINT32_MAX - 4, ALL_EQUAL}},
     .trace = {{1000003, RANDOM}},
     .call = call_histogram,
     .expect = expect_count,
     .cause = cause_count,
     .shape = shape_bytes,
     .bytes = bytes_bytes,
     .baselines = histogram_baselines,
     .baseline_count = WB_COUNT(histogram_baselines),
     .cpu = histogram_cpu},
    {.name = "sum",
     .what = "the sum of floats, the same bits in every run",
     .number = 0,
     .dims = "n values",
     .arrays = {{"d_x", WB_IN, WB_DEVICE, WB_F32, count_n},
                {"d_sum", WB_OUT, WB_DEVICE, WB_F32, count_one},
                {"d_work", WB_IN, WB_DEVICE, WB_F32, count_work}},
     .sizes = sum_sizes,
     .size_count = WB_COUNT(sum_sizes),
     .timed = {{1 << 26, RANDOM}},
     .large = {{(1u << 29) + 3, RANDOM}},
     .huge = {{(1u << 31) + 11, RANDOM}},
     .reach = {{{((size_t)65 << 25) + 11, EQUAL_PARTS}}},
     .trace = {{100003, RANDOM}},
     .same_bits = {{100003, RANDOM}},
     .special = WB_NAN,
     .call = call_sum,
     .expect = expect_sum,
     .cause = cause_sum,
     .shape = shape_sum,
     .bytes = bytes_words,
     .baselines = sum_baselines,
     .baseline_count = WB_COUNT(sum_baselines),
     .cpu = sum_cpu},
};

static const wb_lesson lesson = {
    .name = "lesson06", .title = "atomics", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
