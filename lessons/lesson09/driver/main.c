/*
 * lesson09, elementwise: the driver. It is the lesson's specification: which functions, at which sizes, what
 * is right. You don't change this file; elementwise.h says what you write in elementwise.cu.
 */
#include "elementwise.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"

#include <float.h>
#include <math.h>
#include <string.h>

static size_t count_n(const wb_case *c) { return c->size.n[N]; }
static size_t count_one(const wb_case *c) { return (void)c, 1; }

/* ---- The learner's functions ---- */

static int call_sin_float(const wb_case *c) {
  return sin_map_float(wb_f32(c, X), wb_f32(c, Y), c->size.n[N]);
}

static int call_sin_double(const wb_case *c) {
  return sin_map_double(wb_f64(c, X), wb_f64(c, Y), c->size.n[N]);
}

static int call_chain(const wb_case *c) {
  return chain(wb_f32(c, X), wb_f32(c, Y), c->size.n[N], mean_of(c), (float)c->param[1], (float)-c->param[2],
               (float)c->param[3]);
}

static int call_fast(const wb_case *c) {
  return fast_sin(wb_f32(c, X), wb_f32(c, Y), c->size.n[N], (int)c->size.n[TERMS]);
}

/* ---- Which values ---- */

static int call_selu(const wb_case *c) {
  const size_t n = c->size.n[N];
  if (c->size.n[VALUES] != IN_PLACE) return selu(wb_f32(c, X), wb_f32(c, Y), n);
  const cudaError_t error =
      cudaMemcpyAsync(wb_f32(c, Y), wb_f32(c, X), n * sizeof(float), cudaMemcpyDeviceToDevice, 0);
  return error ? error : selu(wb_f32(c, Y), wb_f32(c, Y), n);
}

/* A whole number below `most` from the bits of x, which are random. */
static int pick(double x, int most) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (int)((bits * 0x9E3779B97F4A7C15u >> 32) * (uint64_t)most >> 32);
}

/* Every 13th of the numbers of ALL is one of these, from the first on, and the last one is NaN: so each place
 * of a vector gets all of them, and so do the elements after the last vector. Which is first depends on n. */
static int is_special(size_t i, size_t n) { return i % 13 == 0 || i == n - 1; }

static double special(size_t i, size_t n, double sign, double smallest, double largest) {
  const double values[] = {0, smallest, largest, INFINITY, NAN, 3 * smallest};
  return copysign(i % 13 == 0 ? values[(i / 13 + n + 1) % WB_COUNT(values)] : NAN, sign);
}

static int shape_float(const wb_case *c, int array, void *values) {
  float *x = values;
  const size_t n = c->size.n[N];
  if (array != X || c->size.n[VALUES] == NEAR_ONE) return 0;
  for (size_t i = 0; i < n && c->size.n[VALUES] == NEAR_MEAN; i++) x[i] += mean_of(c);
  if (c->size.n[VALUES] == NEAR_MEAN) return 1;
  for (size_t i = 0; i < n; i++)
    x[i] = is_special(i, n) ? (float)special(i, n, x[i], FLT_TRUE_MIN, FLT_MAX)
                            : ldexpf(x[i], pick(x[i], 276) - 149); /* 2^-150 to 2^127 */
  return 1;
}

static int shape_double(const wb_case *c, int array, void *values) {
  double *x = values;
  const size_t n = c->size.n[N];
  if (array != X || c->size.n[VALUES] == NEAR_ONE) return 0;
  for (size_t i = 0; i < n; i++)
    x[i] =
        is_special(i, n) ? special(i, n, x[i], DBL_TRUE_MIN, DBL_MAX) : ldexp(x[i], pick(x[i], 2096) - 1073);
  return 1;
}

/* Between -FAST_RANGE and FAST_RANGE: half of the numbers uniformly, for the timed call all of them; a quarter
 * of every exponent; a quarter near the range's ends; now and then a zero of either sign. */
static int shape_bounded(const wb_case *c, int array, void *values) {
  float *x = values;
  const float far = 0.999f * FAST_RANGE;
  if (array != X) return 0;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, X, part);
  for (int p = 0; p < parts; p++)
    for (size_t i = part[p].first; i < part[p].last; i++) {
      const float u = sqrtf((fabsf(x[i]) - 0.5f) / 1.5f); /* model/random.c squares a uniform number */
      const int kind = c->size.n[N] >= 1 << 24 ? 0 : (int)(i % 4);
      const float size = kind < 2    ? u * FAST_RANGE
                         : kind == 2 ? ldexpf(fabsf(x[i]), pick(x[i], 157) - 149)
                                     : far + u * (FAST_RANGE - far);
      x[i] = copysignf(i % 64 == 34 ? 0 : size, x[i]);
    }
  return 1;
}

/* ---- What is right ---- */

/* The distance from |value| to the next float or double. */
static double ulp32(double value) {
  const float y = fabsf((float)value);
  return y < FLT_MAX ? nextafterf(y, INFINITY) - y : 0;
}
static double ulp64(double value) { return nextafter(fabs(value), INFINITY) - fabs(value); }

/* The sine of the exact input, rounded: in float by way of double, in double by way of long double. */
static wb_expected expect_sin_float(const wb_case *c, int array, size_t i) {
  (void)array;
  const double y = sin(wb_f32(c, X)[i]);
  return (wb_expected){.value = y, .tolerance = isnan(y) ? 0 : 4 * ulp32(y)};
}

static wb_expected expect_sin_double(const wb_case *c, int array, size_t i) {
  (void)array;
  const double y = (double)sinl(wb_f64(c, X)[i]);
  return (wb_expected){.value = y, .tolerance = isnan(y) ? 0 : 4 * ulp64(y)};
}

/*
 * The header allows a relative error of 1e-6, 16 roundings in float. A plain way takes seven: two for the
 * constants, two for the products, three for expm1f (1 ulp by NVIDIA's table, and its own rounding). Among
 * denormals a rounding is half of the smallest one, and the constants make it larger. The largest result
 * that is a float may also be rounded to infinity.
 */
static wb_expected expect_selu(const wb_case *c, int array, size_t i) {
  (void)array;
  const double x = wb_f32(c, X)[i];
  const double y = x > 0 ? SELU_SCALE * x : SELU_SCALE * SELU_ALPHA * expm1(x);
  if (fabs(y) > FLT_MAX) return (wb_expected){.value = copysign(INFINITY, y)};
  return (wb_expected){.value = y, .tolerance = isnan(y) ? 0 : 1e-6 * fabs(y) + 3 * (double)FLT_TRUE_MIN};
}

/*
 * With e for WB_EPS32: t may be off by 3 e |t|, and u by u (1 - u) times that, since u' = u (1 - u); e^-t, the
 * sum and the quotient add at most 10 e, the last step 4 e more of the largest result. Twice that for other
 * ways to compute the same.
 */
static wb_expected expect_chain(const wb_case *c, int array, size_t i) {
  (void)array;
  const double gain = c->param[1], low = -c->param[2], high = c->param[3];
  const double t = ((double)wb_f32(c, X)[i] - mean_of(c)) * gain, u = 1 / (1 + exp(-t));
  const double argument = u > 0 && u < 1 ? u * (1 - u) * 3 * fabs(t) : 0;
  const double y = low + (high - low) * u;
  return (wb_expected){.value = y, .tolerance = isnan(y) ? 0 : 2 * WB_EPS32 * (high - low) * (argument + 14)};
}

static wb_expected expect_fast(const wb_case *c, int array, size_t i) {
  (void)array;
  double x = wb_f32(c, X)[i], y = 0;
  for (size_t k = 0; k < c->size.n[TERMS]; k++, x /= 2) y += sin(x);
  return (wb_expected){.value = y, .tolerance = FAST_ERROR * (double)c->size.n[TERMS]};
}

/* The first power of two from which the host is slow: a GPU needs more than no time, and less than WAIT_MS. */
static wb_expected expect_crossing(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  if (has_slow_copies(c)) return (wb_expected){.value = 0};
  size_t n = 1;
  while (n < c->size.n[FROM]) n *= 2;
  return (wb_expected){.value = c->size.n[FROM] > 0 && n <= c->size.n[N] ? (double)n : 0};
}

/* ---- Sizes: n, and which values, how many terms, or from where the host is slow ---- */

/* No elements; one; around a warp, a block and a vector of 16 bytes; primes; more elements than a million. The
 * first numbers are near 1, so that a simple mistake is shown by a simple number. */
static const wb_size map_sizes[] = {{{0, ALL}},    {{1, NEAR_ONE}}, {{2, NEAR_ONE}},     {{3, ALL}},
                                    {{31, ALL}},   {{255, ALL}},    {{256, NEAR_ONE}},   {{257, ALL}},
                                    {{1021, ALL}}, {{4095, ALL}},   {{65537, NEAR_ONE}}, {{1000003, ALL}}};
static const wb_size chain_sizes[] = {{{0, ALL}},        {{1, NEAR_ONE}},     {{2, NEAR_ONE}},
                                      {{3, ALL}},        {{31, ALL}},         {{255, NEAR_MEAN}},
                                      {{256, NEAR_ONE}}, {{257, ALL}},        {{1021, ALL}},
                                      {{4095, ALL}},     {{65537, NEAR_ONE}}, {{1000003, ALL}}};
static const wb_size selu_sizes[] = {{{0, ALL}},         {{1, NEAR_ONE}},     {{2, NEAR_ONE}},
                                     {{3, ALL}},         {{31, ALL}},         {{255, ALL}},
                                     {{257, ALL}},       {{1021, ALL}},       {{2, IN_PLACE}},
                                     {{4095, IN_PLACE}}, {{65537, IN_PLACE}}, {{1000003, ALL}}};
static const wb_size fast_sizes[] = {{{0, 1}},     {{1, 1}},     {{2, 3}},     {{31, 2}},
                                     {{255, 1}},   {{257, 16}},  {{1021, 5}},  {{4095, 1}},
                                     {{4099, 64}}, {{65537, 2}}, {{300007, 1}}};
#define BEYOND_FLOAT ((1 << 24) + 1) /* the first whole number that no float is */

/* The large ones are slow where the host waits; the small ones are also those in which calls fail in turn. */
static const wb_size crossing_sizes[] = {
    {{0, 0}},         {{1, 0}},         {{7, 0}},       {{4095, 0}},      {{20000, 8192}},  {{20000, 1000}},
    {{16384, 16384}}, {{16383, 16384}}, {{SLOW_IN, 1}}, {{SLOW_BACK, 1}}, {{SLOW_LATER, 2}}};

/* ---- Baselines ---- */

static const wb_baseline copy_baseline[] = {
    {"copy", "a device copy of the same bytes", wb_copy_call, wb_copy_work}};
static const wb_baseline double_baselines[] = {
    {"plain", "one double a thread, by the harness", plain_double_call, NULL},
    {"copy", "a device copy of the same bytes", wb_copy_call, wb_copy_work}};
static const wb_baseline chain_baselines[] = {
    {"three-kernels", "the three given kernels one after another", three_kernels_call, NULL},
    {"copy", "a device copy of the same bytes", wb_copy_call, wb_copy_work}};
static const wb_baseline fast_baselines[] = {
    {"sinf", "the same sum with sinf, by the harness", sines_call, NULL},
    {"copy", "a device copy of the same bytes", wb_copy_call, wb_copy_work}};

/* Every element is read once and written once. */
static double bytes_float(const wb_case *c) { return 8.0 * (double)c->size.n[N]; }
static double bytes_double(const wb_case *c) { return 16.0 * (double)c->size.n[N]; }

/* ---- CPU baselines ---- */

static void sin_float_cpu(const wb_case *c) {
  const float *x = wb_f32(c, X);
  float *y = wb_f32(c, Y);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++) y[i] = sinf(x[i]);
}

static void sin_double_cpu(const wb_case *c) {
  const double *x = wb_f64(c, X);
  double *y = wb_f64(c, Y);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++) y[i] = sin(x[i]);
}

static void selu_cpu(const wb_case *c) {
  const float *x = wb_f32(c, X);
  float *y = wb_f32(c, Y);
  const float scale = (float)SELU_SCALE, both = (float)(SELU_SCALE * SELU_ALPHA);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++) y[i] = x[i] > 0 ? scale * x[i] : both * expm1f(x[i]);
}

static void chain_cpu(const wb_case *c) {
  const float *x = wb_f32(c, X);
  float *y = wb_f32(c, Y);
  const float mean = (float)c->param[0], gain = (float)c->param[1];
  const float low = (float)-c->param[2], high = (float)c->param[3];
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++)
    y[i] = low + (high - low) * (1 / (1 + expf(-(x[i] - mean) * gain)));
}

static void fast_cpu(const wb_case *c) {
  const float *x = wb_f32(c, X);
  float *y = wb_f32(c, Y);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[N]; i++) {
    float argument = x[i], sum = 0;
    for (size_t k = 0; k < c->size.n[TERMS]; k++, argument *= 0.5f) sum += sinf(argument);
    y[i] = sum;
  }
}

/* ---- The table ---- */

#define FLOATS                                                                                               \
  {                                                                                                          \
    {"d_x", WB_IN, WB_DEVICE, WB_F32, count_n}, { "d_y", WB_OUT, WB_DEVICE, WB_F32, count_n }                \
  }

static const wb_task tasks[] = {
    {.name = "sin_map_float",
     .what = "the sine of each float",
     .number = 1,
     .dims = "n values",
     .arrays = FLOATS,
     .sizes = map_sizes,
     .size_count = WB_COUNT(map_sizes),
     .timed = {{1 << 26, NEAR_ONE}},
     .large = {{(1u << 29) + 3, NEAR_ONE}},
     .huge = {{(1u << 31) + 11, NEAR_ONE}},
     .reach = {{{BEYOND_FLOAT, NEAR_ONE}}, {{((size_t)65 << 25) + 11, NEAR_ONE}}},
     .trace = {{100003, NEAR_ONE}},
     .allocates_nothing = 1,
     .call = call_sin_float,
     .cause = sin_float_cause,
     .expect = expect_sin_float,
     .shape = shape_float,
     .bytes = bytes_float,
     .baselines = copy_baseline,
     .baseline_count = WB_COUNT(copy_baseline),
     .cpu = sin_float_cpu,
     .cpu_size = {{1 << 24, NEAR_ONE}}},
    {.name = "sin_map_double",
     .what = "the sine of each double",
     .number = 1,
     .dims = "n values",
     .arrays = {{"d_x", WB_IN, WB_DEVICE, WB_F64, count_n}, {"d_y", WB_OUT, WB_DEVICE, WB_F64, count_n}},
     .sizes = map_sizes,
     .size_count = WB_COUNT(map_sizes),
     .timed = {{1 << 25, NEAR_ONE}},
     .large = {{(1u << 28) + 3, NEAR_ONE}},
     .reach = {{{((size_t)65 << 25) + 11, NEAR_ONE}}},
     .trace = {{100003, NEAR_ONE}},
     .allocates_nothing = 1,
     .call = call_sin_double,
     .cause = sin_double_cause,
     .expect = expect_sin_double,
     .shape = shape_double,
     .bytes = bytes_double,
     .baselines = double_baselines,
     .baseline_count = WB_COUNT(double_baselines),
     .cpu = sin_double_cpu,
     .cpu_size = {{1 << 24, NEAR_ONE}}},
    {.name = "selu",
     .what = "SELU, which needs e^x - 1",
     .number = 2,
     .dims = "n values",
     .arrays = FLOATS,
     .sizes = selu_sizes,
     .size_count = WB_COUNT(selu_sizes),
     .timed = {{1 << 26, NEAR_ONE}},
     .large = {{(1u << 29) + 3, NEAR_ONE}},
     .huge = {{(1u << 31) + 11, NEAR_ONE}},
     .reach = {{{BEYOND_FLOAT, NEAR_ONE}}, {{((size_t)65 << 25) + 11, NEAR_ONE}}},
     .trace = {{100003, NEAR_ONE}},
     .allocates_nothing = 1,
     .call = call_selu,
     .cause = selu_cause,
     .expect = expect_selu,
     .shape = shape_float,
     .bytes = bytes_float,
     .baselines = copy_baseline,
     .baseline_count = WB_COUNT(copy_baseline),
     .cpu = selu_cpu,
     .cpu_size = {{1 << 24, NEAR_ONE}}},
    {.name = "chain",
     .what = "three kernels in one",
     .number = 3,
     .dims = "n values",
     .arrays = FLOATS,
     .sizes = chain_sizes,
     .size_count = WB_COUNT(chain_sizes),
     .timed = {{1 << 26, NEAR_ONE}},
     .large = {{(1u << 29) + 3, NEAR_ONE}},
     .huge = {{(1u << 31) + 11, NEAR_ONE}},
     .reach = {{{BEYOND_FLOAT, NEAR_ONE}}, {{((size_t)65 << 25) + 11, NEAR_ONE}}},
     .trace = {{100003, NEAR_ONE}},
     .allocates_nothing = 1,
     .call = call_chain,
     .cause = chain_cause,
     .expect = expect_chain,
     .shape = shape_float,
     .bytes = bytes_float,
     .baselines = chain_baselines,
     .baseline_count = WB_COUNT(chain_baselines),
     .cpu = chain_cpu,
     .cpu_size = {{1 << 24, NEAR_ONE}}},
    {.name = "fast_sin",
     .what = "sums of k sines, within a stated error",
     .number = 4,
     .dims = "n k",
     .arrays = FLOATS,
     .sizes = fast_sizes,
     .size_count = WB_COUNT(fast_sizes),
     .timed = {{1 << 25, 32}},
     .large = {{(1u << 29) + 3, 1}},
     .reach = {{{((size_t)65 << 25) + 11, 1}}},
     .trace = {{100003, 4}},
     .allocates_nothing = 1,
     .call = call_fast,
     .cause = fast_sin_cause,
     .expect = expect_fast,
     .shape = shape_bounded,
     .bytes = bytes_float,
     .baselines = fast_baselines,
     .baseline_count = WB_COUNT(fast_baselines),
     .cpu = fast_cpu,
     .cpu_size = {{1 << 19, 32}}},
    {.name = "crossing",
     .what = "from which n on the GPU wins, copies included",
     .number = 0,
     .dims = "most from",
     .arrays = {{"h_x", WB_IN, WB_HOST, WB_F32, count_n}, {"h_from", WB_OUT, WB_HOST, WB_U32, count_one}},
     .sizes = crossing_sizes,
     .size_count = WB_COUNT(crossing_sizes),
     .trace = {{4095, 0}},
     .failing = {{4095, 0}}, /* so that an array of the host is large enough to be missed */
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_crossing,
     .cause = crossing_cause,
     .expect = expect_crossing},
};

static const wb_lesson lesson = {
    .name = "lesson09", .title = "elementwise", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
