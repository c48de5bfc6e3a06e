/*
 * lesson07, matmul: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; matmul.h says what you write in matmul.cu.
 */
#include "matmul.h"
#include "oracle.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static int dim(const wb_case *c, int which) { return (int)c->size.n[which]; }
static size_t count_a(const wb_case *c) { return c->size.n[M] * c->size.n[K]; }
static size_t count_b(const wb_case *c) { return c->size.n[K] * c->size.n[N]; }
static size_t count_c(const wb_case *c) { return c->size.n[M] * c->size.n[N]; }
static size_t count_square(const wb_case *c) { return c->size.n[SIDE] * c->size.n[SIDE]; }

/* ---- The learner's functions ---- */

typedef cudaError_t product_function(const float *, const float *, float *, int m, int n, int k);

static int call_product(product_function *product, const wb_case *c, int m, int n, int k) {
  return product(wb_f32(c, D_A), wb_f32(c, D_B), wb_f32(c, D_C), m, n, k);
}

static int call_naive(const wb_case *c) {
  return call_product(matmul_naive, c, dim(c, M), dim(c, N), dim(c, K));
}

static int call_tiled(const wb_case *c) {
  return call_product(matmul_tiled, c, dim(c, M), dim(c, N), dim(c, K));
}

static int call_tiled_double(const wb_case *c) {
  return matmul_tiled_double(wb_f64(c, D_A), wb_f64(c, D_B), wb_f64(c, D_C), dim(c, M), dim(c, N), dim(c, K),
                             dim(c, TILE));
}

#pragma weak matmul_stages /* for a file without it */

/* Who goes through the table goes on until an entry has no name. */
static void look_at_the_ladder(void) {
  static size_t entries;
  if (!entries) entries = wb_bytes_of(matmul_stages) / sizeof *matmul_stages;
  if (entries && matmul_stages[entries - 1].name)
    wb_complain("is in a file whose table matmul_stages ends with a named entry: an entry without a name "
                "must end it");
}

static int call_fast(const wb_case *c) {
  look_at_the_ladder();
  return call_product(matmul_fast, c, dim(c, M), dim(c, N), dim(c, K));
}

static int call_square(const wb_case *c) {
  return call_product(matmul_fast, c, dim(c, SIDE), dim(c, SIDE), dim(c, SIDE));
}

/* ---- What is right ---- */

/* The exact sum of k terms and the largest error of k roundings in any order; `epsilon` is that of one
 * rounding. */
static wb_expected sum_of(double sum, double magnitude, size_t k, double epsilon) {
  const double worst = (double)k * epsilon / (1 - (double)k * epsilon);
  const double likely = 8 * sqrt((double)k) * epsilon;
  return (wb_expected){.value = sum, .tolerance = fmin(worst, likely) * magnitude};
}

/*
 * A sum of k float products, in any order, fused or not, is wrong by at most gamma_k = k eps / (1 - k eps)
 * times the sum of |a b| (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Roundings go up and
 * down, so with random inputs 8 sqrt(k) eps also holds, except with a probability below k * 1e-13 (Higham and
 * Mary 2019). The tolerance is the smaller bound: from k = 64 on that is the second. At the sizes below it
 * rejects inputs that were rounded to half precision or TF32.
 */
static wb_expected expect_element(const wb_case *c, size_t m, size_t n, size_t k, size_t i) {
  const oracle_sum exact = oracle_element(c, m, n, k, i);
  return sum_of(exact.sum, exact.magnitude, k, WB_EPS32);
}

static wb_expected expect_product(const wb_case *c, int array, size_t i) {
  (void)array;
  return expect_element(c, c->size.n[M], c->size.n[N], c->size.n[K], i);
}

static wb_expected expect_square(const wb_case *c, int array, size_t i) {
  (void)array;
  return expect_element(c, c->size.n[SIDE], c->size.n[SIDE], c->size.n[SIDE], i);
}

/* The same for doubles; the sum here is rounded as well, so both errors count. */
static wb_expected expect_product_double(const wb_case *c, int array, size_t i) {
  (void)array;
  const size_t n = c->size.n[N], k = c->size.n[K];
  const double *a = wb_f64(c, D_A) + i / n * k, *b = wb_f64(c, D_B) + i % n;
  double sum = 0, magnitude = 0;
  for (size_t p = 0; p < k; p++) {
    sum += a[p] * b[p * n];
    magnitude += fabs(a[p] * b[p * n]);
  }
  return sum_of(sum, magnitude, k, 2 * WB_EPS64);
}

static int other_tile(const wb_case *c) { return dim(c, TILE) != 16 && dim(c, TILE) != 32; }

static int asks_tile_of_16(const wb_case *c, int which, wb_asked *asked) {
  *asked = (wb_asked){.threads = 16 * 16};
  return which == 0 && dim(c, M) && dim(c, N) && dim(c, K);
}

/* A tile has no more elements than its block has work for: more threads are a block for another tile. */
static int asks_tile(const wb_case *c, int which, wb_asked *asked) {
  *asked = (wb_asked){.most_threads = (unsigned)(dim(c, TILE) * dim(c, TILE))};
  return which == 0 && !other_tile(c) && dim(c, M) && dim(c, N) && dim(c, K);
}

/* A multiplication and an addition for each of m * n * k terms. */
static double flops_product(const wb_case *c) {
  return 2.0 * (double)c->size.n[M] * (double)c->size.n[N] * (double)c->size.n[K];
}

static double flops_square(const wb_case *c) { return 2.0 * pow((double)c->size.n[SIDE], 3); }

/* ---- Sizes: m, n, k (and the tile) ---- */

/* Empty in each direction (k = 0: all zeros); single rows and columns; around tiles of 16 and 32; oblong in
 * each direction; primes. */
static const wb_size sizes[] = {{{0, 5, 3}},     {{4, 0, 3}},    {{3, 5, 0}},    {{1, 1, 1}},
                                {{1, 67, 13}},   {{67, 1, 19}},  {{16, 16, 16}}, {{15, 17, 33}},
                                {{31, 33, 15}},  {{32, 64, 48}}, {{130, 31, 7}}, {{13, 129, 64}},
                                {{61, 67, 127}}, {{1, 1027, 5}}, {{2049, 2, 3}}, {{3, 5, 4099}}};
static const wb_size double_sizes[] = {
    {{0, 5, 3, 16}},     {{3, 5, 0, 32}},    {{1, 1, 1, 32}},    {{16, 16, 16, 16}},
    {{15, 17, 33, 16}},  {{31, 33, 15, 32}}, {{32, 64, 48, 32}}, {{130, 31, 7, 16}},
    {{61, 67, 127, 32}}, {{20, 30, 40, 8}},  {{20, 30, 40, 0}},  {{20, 30, 40, 24}},
    {{20, 30, 40, 17}},  {{40, 33, 70, 64}}, {{0, 30, 40, 24}},  {{20, 0, 40, 64}}};
/* Also around tiles of 64 and 128, with rows of B that begin at 16 bytes and with rows that don't. */
static const wb_size fast_sizes[] = {{{0, 5, 3}},      {{4, 0, 3}},      {{3, 5, 0}},      {{1, 1, 1}},
                                     {{67, 1, 19}},    {{13, 129, 64}},  {{63, 64, 65}},   {{129, 193, 40}},
                                     {{257, 260, 23}}, {{449, 451, 17}}, {{384, 512, 36}}, {{3, 1027, 6}},
                                     {{1025, 2, 9}}};
static const wb_size square_sizes[] = {{{0}}, {{1}}, {{31}}, {{64}}, {{127}}};

/* ---- CPU baselines: row by row, as in lesson01 ---- */

static void rows_cpu(const wb_case *c, size_t m, size_t n, size_t k) {
  const float *a = wb_f32(c, D_A), *b = wb_f32(c, D_B);
#pragma omp parallel for
  for (size_t i = 0; i < m; i++) {
    float *row = wb_f32(c, D_C) + i * n;
    memset(row, 0, n * sizeof *row);
    for (size_t p = 0; p < k; p++)
      for (size_t j = 0; j < n; j++) row[j] += a[i * k + p] * b[p * n + j];
  }
}

static void product_cpu(const wb_case *c) { rows_cpu(c, c->size.n[M], c->size.n[N], c->size.n[K]); }
static void square_cpu(const wb_case *c) { rows_cpu(c, c->size.n[SIDE], c->size.n[SIDE], c->size.n[SIDE]); }

static void double_cpu(const wb_case *c) {
  const double *a = wb_f64(c, D_A), *b = wb_f64(c, D_B);
  const size_t n = c->size.n[N], k = c->size.n[K];
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[M]; i++) {
    double *row = wb_f64(c, D_C) + i * n;
    memset(row, 0, n * sizeof *row);
    for (size_t p = 0; p < k; p++)
      for (size_t j = 0; j < n; j++) row[j] += a[i * k + p] * b[p * n + j];
  }
}

/* ---- Baselines ---- */

static const wb_baseline naive_baselines[] = {
    {"uncoalesced", "the harness's own: neighbouring threads in one column", uncoalesced_call, NULL}};
static const wb_baseline tiled_baselines[] = {
    {"naive", "the harness's own: a thread for each element, no tiles", naive_call, NULL},
    {"cublas", "cuBLAS in float32", cublas_call, NULL}};
static const wb_baseline double_baselines[] = {{"cublas", "cuBLAS in float64", cublas_double_call, NULL}};
static const wb_baseline fast_baselines[] = {{"cublas", "cuBLAS in float32", cublas_call, NULL}};
static const wb_baseline square_baselines[] = {{"cublas", "cuBLAS in float32", cublas_square_call, NULL}};

/* ---- The table ---- */

/* C, A and B in turn have more than 2^31 elements. */
#define BEYOND_INT                                                                                           \
  {                                                                                                          \
    {{46349, 46349, 1}}, {{500000, 16, 4300}}, {                                                             \
      { 16, 500000, 4300 }                                                                                   \
    }                                                                                                        \
  }

#define FLOAT_ARRAYS                                                                                         \
  {                                                                                                          \
    {"d_a", WB_IN, WB_DEVICE, WB_F32, count_a}, {"d_b", WB_IN, WB_DEVICE, WB_F32, count_b}, {                \
      "d_c", WB_OUT, WB_DEVICE, WB_F32, count_c                                                              \
    }                                                                                                        \
  }

static const wb_task tasks[] = {
    {.name = "matmul_naive",
     .what = "a thread for each element of C",
     .number = 1,
     .dims = "m n k",
     .arrays = FLOAT_ARRAYS,
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{4096, 4096, 4096}},
     .large = {{23173, 23173, 3}},
     .huge = {{46349, 46349, 3}},
     .reach = BEYOND_INT,
     .trace = {{64, 96, 128}},
     .special = WB_INFINITY,
     .allocates_nothing = 1,
     .call = call_naive,
     .expect = expect_product,
     .cause = cause_product,
     .flops = flops_product,
     .baselines = naive_baselines,
     .baseline_count = WB_COUNT(naive_baselines),
     .cpu = product_cpu,
     .cpu_size = {{1024, 1024, 1024}}},
    {.name = "matmul_tiled",
     .what = "through tiles of 16 x 16 in shared memory",
     .number = 2,
     .dims = "m n k",
     .arrays = FLOAT_ARRAYS,
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{4096, 4096, 4096}},
     .large = {{23173, 23173, 3}},
     .huge = {{46349, 46349, 3}},
     .reach = BEYOND_INT,
     .trace = {{64, 96, 128}},
     .special = WB_INFINITY,
     .allocates_nothing = 1,
     .call = call_tiled,
     .asks = asks_tile_of_16,
     .expect = expect_product,
     .cause = cause_product,
     .flops = flops_product,
     .baselines = tiled_baselines,
     .baseline_count = WB_COUNT(tiled_baselines),
     .cpu = product_cpu,
     .cpu_size = {{1024, 1024, 1024}}},
    {.name = "matmul_tiled_double",
     .what = "doubles, in tiles of 16 x 16 or 32 x 32",
     .number = 3,
     .dims = "m n k tile",
     .arrays = {{"d_a", WB_IN, WB_DEVICE, WB_F64, count_a},
                {"d_b", WB_IN, WB_DEVICE, WB_F64, count_b},
                {"d_c", WB_OUT, WB_DEVICE, WB_F64, count_c}},
     .sizes = double_sizes,
     .size_count = WB_COUNT(double_sizes),
     .timed = {{1024, 512, 2048, 32}},
     .reach = {{{46349, 46349, 1, 16}}, {{500000, 16, 4300, 16}}, {{16, 500000, 4300, 16}}},
     .trace = {{64, 96, 128, 32}},
     .special = WB_INFINITY,
     .allocates_nothing = 1,
     .call = call_tiled_double,
     .asks = asks_tile,
     .expect = expect_product_double,
     .cause = cause_product_double,
     .must_fail = other_tile,
     .must_fail_with = cudaErrorInvalidValue,
     .flops = flops_product,
     .baselines = double_baselines,
     .baseline_count = WB_COUNT(double_baselines),
     .cpu = double_cpu},
    {.name = "matmul_fast",
     .what = "several elements a thread, as fast as you can",
     .number = 0,
     .dims = "m n k",
     .arrays = FLOAT_ARRAYS,
     .sizes = fast_sizes,
     .size_count = WB_COUNT(fast_sizes),
     .timed = {{4096, 4096, 4096}},
     .large = {{23173, 23173, 3}},
     .huge = {{46349, 46349, 3}},
     .reach = BEYOND_INT,
     .trace = {{384, 512, 48}},
     .special = WB_INFINITY,
     .allocates_nothing = 1,
     .call = call_fast,
     .expect = expect_product,
     .cause = cause_product,
     .flops = flops_product,
     .baselines = fast_baselines,
     .baseline_count = WB_COUNT(fast_baselines),
     .cpu = product_cpu,
     .cpu_size = {{1024, 1024, 1024}}},
    {.name = "matmul_square",
     .what = "matmul_fast where m = n = k, for --sweep n=512..8192",
     .number = 0,
     .dims = "n",
     .arrays = {{"d_a", WB_IN, WB_DEVICE, WB_F32, count_square},
                {"d_b", WB_IN, WB_DEVICE, WB_F32, count_square},
                {"d_c", WB_OUT, WB_DEVICE, WB_F32, count_square}},
     .sizes = square_sizes,
     .size_count = WB_COUNT(square_sizes),
     .timed = {{2048}},
     .call = call_square,
     .expect = expect_square,
     .flops = flops_square,
     .baselines = square_baselines,
     .baseline_count = WB_COUNT(square_baselines),
     .cpu = square_cpu,
     .cpu_size = {{1024}}},
};

static const wb_lesson lesson = {
    .name = "lesson07", .title = "matmul", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
