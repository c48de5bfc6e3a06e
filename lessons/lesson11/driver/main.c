/*
 * lesson11, cublas: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; cublas.h says what you write in cublas.cu.
 */
#include "cublas.h"
#include "wb.h"
#include "baselines.h"
#include "calls.h"
#include "causes.h"
#include "oracle.h"
#include "stopwatch.h"
#include "shapes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* ---- What is right ---- */

/*
 * A sum of k float products, in any order, fused or not, is wrong by at most some k eps times the sum of
 * |a b| (Higham, Accuracy and Stability of Numerical Algorithms, 3.1); the scaling by alpha rounds once more.
 * Roundings go up and down, so 8 sqrt(k) eps also holds, except with a probability below k * 1e-13 (Higham
 * and Mary 2019).
 */
static double float_error(size_t k) {
  const double terms = (double)k + 2;
  return fmin(1.001 * terms, 8 * sqrt(terms)) * WB_EPS32;
}

static wb_expected unchanged(const wb_case *c, int array, size_t i) {
  const double before = array == SETTINGS ? (double)wb_u32(c, array)[i] : (double)wb_f32(c, array)[i];
  return (wb_expected){.value = before, .tolerance = 0};
}

static wb_expected element(const oracle_product *p, size_t row, size_t column, double error) {
  const oracle_sum exact = oracle_element(p, row, column);
  return (wb_expected){.value = exact.sum, .tolerance = error * exact.magnitude};
}

/* The product that element i of C belongs to, and its place there; false: it lies in a gap. */
typedef struct place_in_c {
  oracle_product p;
  size_t row, column;
  bool gap;
} place_in_c;

static place_in_c in_padded(const wb_case *c, size_t i) {
  const size_t *n = c->size.n, ldc = (size_t)ldc_of(c);
  return (place_in_c){
      {wb_f32(c, D_A), wb_f32(c, D_B), n[M], n[N], n[K], (size_t)lda_of(c), (size_t)ldb_of(c), c->param[0]},
      i / ldc,
      i % ldc,
      i % ldc >= n[N]};
}

static place_in_c in_batch(const wb_case *c, size_t i) {
  const size_t *n = c->size.n;
  const batch_strides s = strides_of(&c->size);
  const size_t which = i / (size_t)s.c, at = i % (size_t)s.c;
  place_in_c place = {{wb_f32(c, D_A) + which * (size_t)s.a, wb_f32(c, D_B) + which * (size_t)s.b, n[M], n[N],
                       n[K], n[K], n[N], c->param[0]},
                      0,
                      0,
                      at >= n[M] * n[N]};
  if (!place.gap) place.row = at / n[N], place.column = at % n[N];
  return place;
}

static place_in_c in_plain(const wb_case *c, size_t i) {
  const size_t *n = c->size.n;
  return (place_in_c){
      {wb_f32(c, D_A), wb_f32(c, D_B), n[M], n[N], n[K], n[K], n[N], c->param[0]}, i / n[N], i % n[N], false};
}

/* The same where some factors count as 0: oracle.h. */
static wb_expected element_of_others(const wb_case *c, const place_in_c *at, double error, double off) {
  double open;
  const oracle_sum others = oracle_zeroed(&at->p, at->row, at->column, &c->zeros, off, &open);
  return (wb_expected){.value = others.sum, .tolerance = error * others.magnitude + open};
}

/* off: how far the library's factors may be from A's and B's, in proportion. */
static wb_expected expect(const wb_case *c, int array, size_t i, place_in_c in_c(const wb_case *, size_t),
                          double error, double off) {
  if (array == SETTINGS) return unchanged(c, array, i);
  const place_in_c at = in_c(c, i);
  if (at.gap) return unchanged(c, array, i);
  return c->zeros.high > 0 ? element_of_others(c, &at, error, off) : element(&at.p, at.row, at.column, error);
}

/* The upper part of a number that is split for TF32 has 11 of its bits. */
#define OFF_BY_TF32 0x1p-10

static double bound_of(const wb_case *c) {
  const int way = last_way(c);
  if (!dim(c, BITS) && way != IN_FLOAT) return way == IN_THREE ? split_error(c) : 0x1p-9;
  return dim(c, BITS) ? fmax(ldexp(1, -dim(c, BITS)), float_error(c->size.n[K])) : float_error(c->size.n[K]);
}

static wb_expected expect_gemm(const wb_case *c, int array, size_t i) {
  return expect(c, array, i, in_padded, float_error(c->size.n[K]), 0);
}
static wb_expected expect_batch(const wb_case *c, int array, size_t i) {
  return expect(c, array, i, in_batch, float_error(c->size.n[K]), 0);
}
static wb_expected expect_gemm_to(const wb_case *c, int array, size_t i) {
  return expect(c, array, i, in_plain, bound_of(c), last_way(c) == IN_FLOAT ? 0 : OFF_BY_TF32);
}
static wb_expected expect_split(const wb_case *c, int array, size_t i) {
  return expect(c, array, i, in_plain, 0x1p-17, OFF_BY_TF32);
}
/* At least half of the elements come from tensor cores: those at the edges may come from elsewhere. */
static wb_expected expect_tensor(const wb_case *c, int array, size_t i) {
  if (array == UNCHANGED) return (wb_expected){.value = 0, .tolerance = (double)count_c(c) / 2};
  return expect(c, array, i, in_plain, 0x1p-18, 0);
}

static wb_expected expect_time(const wb_case *c, int array, size_t i) {
  (void)c, (void)i;
  return array == TIMES ? (wb_expected){.value = 1, .tolerance = TIME_TOLERANCE}
                        : (wb_expected){.value = 0, .tolerance = 0};
}

/*
 * From some hundred terms on all inputs are positive: then no sum is small by chance, and errors that lean to
 * one side show. A's are large and B's are small, or the other way round: TF32 has the exponents of float, and half
 * has not.
 */
static int shape_factors(const wb_case *c, int array, void *values) {
  if (array != D_A && array != D_B) return 0;
  const bool positive = c->size.n[K] >= 200, large = c->size.n[M] % 2 == (array == D_A);
  const float scale = large ? 0x1p20f : 0x1p-20f;
  float *x = values;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, array, part);
  for (int p = 0; p < parts; p++)
    for (size_t i = part[p].first; i < part[p].last; i++) x[i] = scale * (positive ? fabsf(x[i]) : x[i]);
  return 1;
}

/* ---- Factors that count as 0 in a call ---- */

static double mean_magnitude(const float *x, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++) sum += fabsf(x[i]);
  return sum / (double)count;
}

/* Those of A from its mean on; or few, near one of them: then a look at some elements of C shows nothing
 * unusual. */
static int zeros_from(const wb_case *c, wb_window *zeros) {
  const float *a = wb_f32(c, D_A);
  *zeros = (wb_window){.low = mean_magnitude(a, c->size.n[K]), .high = INFINITY};
  return 1;
}

static int zeros_near(const wb_case *c, size_t lda, int which, double width, wb_window *zeros) {
  const double u = (c->param[which % WB_MAX_PARAMS] - 0.5) / 1.5,
               v = (c->param[(which + 1) % WB_MAX_PARAMS] - 0.5) / 1.5;
  const size_t row = (size_t)(u * (double)c->size.n[M]), column = (size_t)(v * (double)c->size.n[K]);
  const double there = fabsf(wb_f32(c, D_A)[row * lda + column]);
  *zeros = (wb_window){.low = there * (1 - width), .high = there * (1 + width)};
  return 1;
}

#define FEW  0x1p-10 /* some ten of a thousand factors */
#define SOME 0x1p-6  /* wide enough for numbers that are split: OFF_BY_TF32 */

static int zeros_of_product(const wb_case *c, size_t lda, int which, wb_window *zeros) {
  return which == 0 ? zeros_from(c, zeros) : which < 3 && zeros_near(c, lda, which, FEW, zeros);
}

static int zeros_of_gemm(const wb_case *c, int which, wb_window *zeros) {
  return zeros_of_product(c, (size_t)lda_of(c), which, zeros);
}

static int zeros_of_batch(const wb_case *c, int which, wb_window *zeros) {
  return zeros_of_product(c, c->size.n[K], which, zeros);
}

/* Its three ways one after the other, with many zeros and with fewer. */
static int zeros_of_ways(const wb_case *c, int which, wb_window *zeros) {
  if (which < WAYS) return zeros_from(c, zeros);
  return which < 2 * WAYS && zeros_near(c, c->size.n[K], which, which % WAYS == IN_FLOAT ? FEW : SOME, zeros);
}

static int zeros_split(const wb_case *c, int which, wb_window *zeros) {
  return which == 0 ? zeros_from(c, zeros) : which < 3 && zeros_near(c, c->size.n[K], which, SOME, zeros);
}

/* ---- What may be wrong ---- */

static const char *cause(const wb_case *c, int array, size_t i, double got,
                         place_in_c in_c(const wb_case *, size_t), wb_expected right, double bound) {
  if (array == SETTINGS) return cause_of_settings(got);
  const place_in_c at = in_c(c, i);
  if (at.gap) return "it lies between what the function may write: which leading dimension or stride is C's?";
  const wrong w = {&at.p, at.row, at.column, got, right.value, right.tolerance, bound};
  return cause_of_element(&w);
}

static const char *cause_gemm(const wb_case *c, int array, size_t i, double got) {
  return cause(c, array, i, got, in_padded, expect_gemm(c, array, i), 0);
}
/* The element of C where all matrices follow each other without gaps, whatever the strides are. */
static bool is_without_strides(const wb_case *c, size_t i, double got) {
  const size_t which = i / (size_t)strides_of(&c->size).c, m = c->size.n[M], n = c->size.n[N],
               k = c->size.n[K];
  const wb_expected right = expect_batch(c, D_C, i);
  place_in_c at = in_batch(c, i);
  for (int of = 1; of <= 3 && !at.gap && which > 0; of++) {
    oracle_product p = at.p;
    if (of & 1) p.b = wb_f32(c, D_B) + which * k * n;
    if (of & 2) p.a = wb_f32(c, D_A) + which * m * k;
    const bool there =
        p.b + k * n <= wb_f32(c, D_B) + batch_b(c) && p.a + m * k <= wb_f32(c, D_A) + batch_a(c);
    if (there && fabs(oracle_element(&p, at.row, at.column).sum - got) <= right.tolerance) return true;
  }
  return false;
}

static const char *cause_batch(const wb_case *c, int array, size_t i, double got) {
  if (array == D_C && is_without_strides(c, i, got))
    return "it is made of a matrix that follows the one before without a gap: A_i and B_i begin at i times "
           "their strides";
  return cause(c, array, i, got, in_batch, expect_batch(c, array, i), 0);
}
static const char *cause_gemm_to(const wb_case *c, int array, size_t i, double got) {
  return cause(c, array, i, got, in_plain, expect_gemm_to(c, array, i), bound_of(c));
}
static const char *cause_split(const wb_case *c, int array, size_t i, double got) {
  return cause(c, array, i, got, in_plain, expect_split(c, array, i), 0);
}
static const char *cause_tensor(const wb_case *c, int array, size_t i, double got) {
  if (array == UNCHANGED)
    return "so many elements of C do not follow what tensor cores multiply: they come from elsewhere";
  return cause(c, array, i, got, in_plain, expect_tensor(c, array, i), 0);
}
static const char *cause_time(const wb_case *c, int array, size_t i, double got) {
  if (array == IGNORED) return "a warm call of product failed, and time_gemm returned cudaSuccess";
  return array == TIMES ? cause_of_time((int)i, got, dim(c, CALLS)) : "so many calls are missing";
}

/* ---- Sizes ---- */

/* Squares without gaps come first: with them exchanged dimensions go unseen, but not exchanged matrices. */
static const wb_size gemm_sizes[] = {
    {{2, 2, 2, 0}},    {{3, 5, 4, 0}},     {{1, 1, 1, 0}},    {{0, 5, 3, 0}},      {{4, 0, 3, 1}},
    {{1, 5, 0, 2}},    {{5, 1, 0, 1}},     {{3, 5, 0, 0}},    {{4, 6, 0, 2}},      {{5, 3, 4, 2}},
    {{1, 67, 13, 0}},  {{67, 1, 19, 3}},   {{31, 33, 15, 0}}, {{33, 31, 64, 1}},   {{64, 64, 64, 7}},
    {{130, 31, 7, 0}}, {{61, 67, 127, 5}}, {{2, 1027, 5, 1}}, {{500000, 1, 1, 0}}, {{1, 500000, 1, 0}},
    {{3, 2, 4099, 1}}};
static const wb_size time_sizes[] = {{{160, 10}}, {{64, 2}}, {{200, 1}},
                                     {{96, 25}},  {{0, 3}},  {{WAITING_SIDE, 6}}};
/* With n = 1 a matrix meets many vectors; 150 x 100 by 10 vectors is an exercise of the course. */
static const wb_size batch_sizes[] = {
    {{2, 2, 2, 2}},     {{3, 5, 4, 3}},   {{5, 3, 4, 1}},   {{3, 5, 4, 0}},      {{0, 5, 3, 4}},
    {{4, 0, 3, 3}},     {{3, 5, 0, 3}},   {{4, 6, 0, 2}},   {{150, 1, 100, 10}}, {{7, 1, 13, 5}},
    {{32, 32, 32, 16}}, {{17, 9, 33, 7}}, {{1, 8, 1, 100}}, {{16, 16, 16, 65}}};
static const wb_size to_sizes[] = {
    {{2, 3, 1, 8}},     {{31, 33, 1, 19}},   {{3, 5, 4, 9}},      {{3, 5, 4, 10}},   {{3, 5, 4, 24}},
    {{0, 5, 3, 14}},    {{4, 0, 3, 9}},      {{3, 5, 0, 9}},      {{4, 6, 0, 14}},   {{5, 4, 0, 30}},
    {{31, 33, 2, 11}},  {{33, 31, 7, 14}},   {{17, 19, 64, 18}},  {{5, 70, 33, 19}}, {{40, 24, 96, 22}},
    {{9, 7, 4096, 15}}, {{3, 4, 16384, 14}}, {{90, 1, 16384, 10}}};
static const wb_size split_sizes[] = {{{2, 3, 1}},      {{3, 5, 4}},    {{0, 5, 3}},     {{4, 0, 3}},
                                      {{3, 5, 0}},      {{31, 33, 64}}, {{33, 17, 512}}, {{17, 9, 513}},
                                      {{12, 20, 1025}}, {{5, 7, 6000}}, {{3, 4, 16384}}};
static const wb_size tensor_sizes[] = {
    {{2, 3, 1}},    {{3, 5, 4}},    {{0, 5, 3}},           {{4, 0, 3}},     {{3, 5, 0}},      {{16, 16, 8}},
    {{15, 17, 33}}, {{33, 31, 31}}, {{IDLE_ROWS, 20, 70}}, {{20, 130, 40}}, {{16, 16, 2048}}, {{3, 4, 4096}}};

/* ---- Speed ---- */

static double flops_gemm(const wb_case *c) { return 2.0 * (double)count_c(c) * (double)c->size.n[K]; }
static double flops_batch(const wb_case *c) { return flops_gemm(c) * (double)c->size.n[BATCH]; }
/* Tensor cores make more operations than the device's other ones can, so bytes are what can be compared. */
static double bytes_gemm(const wb_case *c) { return 4.0 * (double)(count_a(c) + count_b(c) + count_c(c)); }

static const wb_baseline gemm_baselines[] = {
    {"fp32", "cuBLAS in float, the harness's own call", fp32_call, NULL}};
static const wb_baseline batch_baselines[] = {
    {"strided", "the harness's own strided call", strided_call, NULL},
    {"loop", "a call for each product", loop_call, NULL}};
static const wb_baseline to_baselines[] = {
    {"tf32", "the harness's own product with TF32 inputs", tf32_call, NULL},
    {"fp32", "cuBLAS in float", fp32_call, NULL}};
static const wb_baseline split_baselines[] = {
    {"chunks", "the harness's own three products in chunks", chunks_call, NULL},
    {"fp32", "cuBLAS in float", fp32_call, NULL}};
static const wb_baseline tensor_baselines[] = {{"fp32", "cuBLAS in float", fp32_call, NULL}};

/* ---- CPU baselines: row by row, as in lesson01 ---- */

static void row_cpu(const float *a, const float *b, float *c, size_t n, size_t k, size_t ldb) {
  memset(c, 0, n * sizeof *c);
  for (size_t p = 0; p < k; p++)
    for (size_t j = 0; j < n; j++) c[j] += a[p] * b[p * ldb + j];
}

static void padded_cpu(const wb_case *c, size_t lda, size_t ldb, size_t ldc) {
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[M]; i++)
    row_cpu(wb_f32(c, D_A) + i * lda, wb_f32(c, D_B), wb_f32(c, D_C) + i * ldc, c->size.n[N], c->size.n[K],
            ldb);
}

static void gemm_cpu(const wb_case *c) {
  padded_cpu(c, (size_t)lda_of(c), (size_t)ldb_of(c), (size_t)ldc_of(c));
}
static void product_cpu(const wb_case *c) { padded_cpu(c, c->size.n[K], c->size.n[N], c->size.n[N]); }

static void batch_cpu(const wb_case *c) {
  const size_t m = c->size.n[M], n = c->size.n[N], k = c->size.n[K];
  const batch_strides s = strides_of(&c->size);
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[BATCH] * m; i++)
    row_cpu(wb_f32(c, D_A) + i / m * (size_t)s.a + i % m * k, wb_f32(c, D_B) + i / m * (size_t)s.b,
            wb_f32(c, D_C) + i / m * (size_t)s.c + i % m * n, n, k, n);
}

/* ---- The table ---- */

#define INPUTS(a, b)                                                                                         \
  {"d_a", WB_IN, WB_DEVICE, WB_F32, a}, { "d_b", WB_IN, WB_DEVICE, WB_F32, b }
#define HANDLE                                                                                               \
  { "handle_settings", WB_INOUT, WB_DEVICE, WB_U32, count_one }

static const wb_task tasks[] = {
    {.name = "gemm",
     .what = "C = A * B by rows, with gaps between them, by one cublasSgemm",
     .number = 1,
     .dims = "m n k pad",
     .arrays = {{"d_a", WB_IN, WB_DEVICE, WB_F32, padded_a, .rows = rows_of_a},
                {"d_b", WB_IN, WB_DEVICE, WB_F32, padded_b, .rows = rows_of_b},
                {"d_c", WB_INOUT, WB_DEVICE, WB_F32, padded_c, .rows = rows_of_c},
                HANDLE},
     .sizes = gemm_sizes,
     .size_count = WB_COUNT(gemm_sizes),
     .timed = {{4096, 4096, 4096, 0}},
     .large = {{23173, 23173, 3, 0}},
     .huge = {{46349, 46349, 3, 0}},
     .trace = {{48, 80, 64, 2}},
     .zeros = zeros_of_gemm,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_gemm,
     .expect = expect_gemm,
     .cause = cause_gemm,
     .flops = flops_gemm,
     .baselines = gemm_baselines,
     .baseline_count = WB_COUNT(gemm_baselines),
     .cpu = gemm_cpu,
     .cpu_size = {{1024, 1024, 1024, 0}}},
    {.name = "time_gemm",
     .what = "the time of a first call, and of a warm one",
     .number = 2,
     .dims = "n calls",
     .arrays = {INPUTS(count_square, count_square),
                {"d_c", WB_IN, WB_DEVICE, WB_F32, count_square},
                {"first_and_warm_by_true", WB_OUT, WB_HOST, WB_F64, count_two},
                {"calls_missing", WB_OUT, WB_HOST, WB_U32, count_one},
                {"errors_ignored", WB_OUT, WB_HOST, WB_U32, count_one}},
     .sizes = time_sizes,
     .size_count = WB_COUNT(time_sizes),
     .trace = {{64, 5}},
     .done = WB_COMPLETE,
     .releases = 1,
     .measures = 1,
     .call = call_time_gemm,
     .expect = expect_time,
     .cause = cause_time},
    {.name = "gemm_batch",
     .what = "a batch of small products, by one call",
     .number = 3,
     .dims = "m n k batch",
     .arrays = {INPUTS(batch_a, batch_b), {"d_c", WB_INOUT, WB_DEVICE, WB_F32, batch_c}, HANDLE},
     .sizes = batch_sizes,
     .size_count = WB_COUNT(batch_sizes),
     .timed = {{32, 32, 32, 4096}},
     .reach = {{{FAR_ROWS, 2, 1, 2}}},
     .trace = {{17, 9, 33, 25}},
     .zeros = zeros_of_batch,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_batch,
     .expect = expect_batch,
     .cause = cause_batch,
     .flops = flops_batch,
     .baselines = batch_baselines,
     .baseline_count = WB_COUNT(batch_baselines),
     .cpu = batch_cpu},
    {.name = "gemm_to",
     .what = "as exact as is asked for: an error of at most 2^-bits",
     .number = 4,
     .dims = "m n k bits",
     .arrays = {INPUTS(count_a, count_b),
                {"d_c", WB_INOUT, WB_DEVICE, WB_F32, count_c},
                HANDLE,
                {"d_work", WB_IN, WB_DEVICE, WB_F32, count_work}},
     .sizes = to_sizes,
     .size_count = WB_COUNT(to_sizes),
     .timed = {{4096, 4096, 4096, 8}},
     .trace = {{48, 40, 64, 0}},
     .failing = {{31, 33, 2, 11}}, /* by three products with TF32 inputs */
     .zeros = zeros_of_ways,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_gemm_to,
     .expect = expect_gemm_to,
     .cause = cause_gemm_to,
     .shape = shape_factors,
     .bytes = bytes_gemm,
     .baselines = to_baselines,
     .baseline_count = WB_COUNT(to_baselines)},
    {.name = "gemm_split",
     .what = "float's accuracy from the library's TF32 products",
     .number = 0,
     .dims = "m n k",
     .arrays = {INPUTS(count_a, count_b),
                {"d_c", WB_INOUT, WB_DEVICE, WB_F32, count_c},
                HANDLE,
                {"d_work", WB_IN, WB_DEVICE, WB_F32, count_work}},
     .sizes = split_sizes,
     .size_count = WB_COUNT(split_sizes),
     .timed = {{4096, 4096, 4096}},
     .trace = {{24, 16, 1500}},
     .compared = {{32, 24, 4096}},
     .zeros = zeros_split,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_split,
     .expect = expect_split,
     .cause = cause_split,
     .shape = shape_factors,
     .flops = flops_gemm,
     .no_ceiling = 1,
     .baselines = split_baselines,
     .baseline_count = WB_COUNT(split_baselines),
     .cpu = product_cpu,
     .cpu_size = {{1024, 1024, 1024}}},
    {.name = "gemm_tensor",
     .what = "float's accuracy from tensor cores, by a kernel of your own",
     .number = 0,
     .dims = "m n k",
     .arrays = {INPUTS(count_a, count_b),
                {"d_c", WB_INOUT, WB_DEVICE, WB_F32, count_c},
                {"unchanged", WB_OUT, WB_HOST, WB_U32, count_unchanged_one}},
     .sizes = tensor_sizes,
     .size_count = WB_COUNT(tensor_sizes),
     .timed = {{4096, 4096, 4096}},
     .large = {{23173, 23173, 3}},
     .huge = {{46349, 46349, 3}},
     .reach = {{{46349, 46349, 3}}, {{1000000, 16, 8}}, {{16, 1000000, 8}}},
     .trace = {{70, 100, 64}},
     .capabilities = {75, 90},
     .compared = {{32, 24, 4096}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_tensor,
     .expect = expect_tensor,
     .cause = cause_tensor,
     .shape = shape_factors,
     .flops = flops_gemm,
     .no_ceiling = 1,
     .baselines = tensor_baselines,
     .baseline_count = WB_COUNT(tensor_baselines),
     .cpu = product_cpu,
     .cpu_size = {{1024, 1024, 1024}}},
};

static const wb_lesson lesson = {
    .name = "lesson11", .title = "cublas", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
