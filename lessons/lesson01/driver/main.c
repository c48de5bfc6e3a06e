/*
 * lesson01, loops: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; loops.h says what you write in loops.c.
 */
#include "loops.h"
#include "wb.h"
#include "model/cause_terms.h"
#include "baselines.h"

#include <math.h>
#include <omp.h>

static size_t count_n(const wb_case *c) { return c->size.n[0]; }
static int length(const wb_case *c) { return (int)c->size.n[0]; }

/* Empty, one, less and more than whole vectors of 16 floats, a prime, and a million and three. */
static const wb_size sizes[] = {{{0}}, {{1}}, {{15}}, {{16}}, {{17}}, {{1021}}, {{1000003}}};

/* ---- Task 1: saxpy ---- */

enum { X, Y };

static int call_saxpy(const wb_case *c) {
  saxpy((float)c->param[0], wb_f32(c, X), wb_f32(c, Y), length(c));
  return 0;
}

static int call_plain_saxpy(const wb_case *c) {
  baseline_saxpy((float)c->param[0], wb_f32(c, X), wb_f32(c, Y), length(c));
  return 0;
}

static int call_saxpy_all_cores(const wb_case *c) {
  baseline_saxpy_all_cores((float)c->param[0], wb_f32(c, X), wb_f32(c, Y), length(c));
  return 0;
}

/*
 * In double the product of two floats is exact. A compiler may keep it exact and round once (a fused
 * multiply-add) or round the product and then the sum: the error is at most eps * |a x| + eps * |a x + y|, up
 * to a factor of 1 + eps. The error of half precision is about 8000 times that.
 */
static wb_expected expect_saxpy(const wb_case *c, int array, size_t i) {
  (void)array;
  const double product = c->param[0] * wb_f32(c, X)[i];
  const double value = product + wb_f32(c, Y)[i];
  return (wb_expected){.value = value,
                       .tolerance = WB_EPS32 * (1 + 2 * WB_EPS32) * (fabs(product) + fabs(value))};
}

static const char *cause_saxpy(const wb_case *c, int array, size_t i, double got) {
  const double product = c->param[0] * wb_f32(c, X)[i], twice = 2 * product + wb_f32(c, Y)[i];
  (void)array;
  return fabs(got - twice) <= 4 * WB_EPS32 * (fabs(product) + fabs(twice))
             ? "a * x[i] was added twice: do two loops, or two threads, reach this element?"
             : NULL;
}

/* Reads x and y, writes y: 3 times 4 bytes. */
static double bytes_saxpy(const wb_case *c) { return 12.0 * (double)c->size.n[0]; }
static double flops_saxpy(const wb_case *c) { return 2.0 * (double)c->size.n[0]; }

/* ---- Tasks 2, 3 and further: matmul ---- */

enum { A, B, C };
enum { M, N, K };

/* In the case with this k a team has one thread, whatever omp_get_max_threads says: as in a program that calls the
 * function from a team of its own. */
#define LONE_K 61

static int dim(const wb_case *c, int which) { return (int)c->size.n[which]; }
static size_t count_a(const wb_case *c) { return c->size.n[M] * c->size.n[K]; }
static size_t count_b(const wb_case *c) { return c->size.n[K] * c->size.n[N]; }
static size_t count_c(const wb_case *c) { return c->size.n[M] * c->size.n[N]; }

/* Empty in each direction (k = 0: all zeros), single rows and columns, oblong both ways, around whole tiles
 * of 6 and 32, and long sums in whole tiles. */
static const wb_size matmul_sizes[] = {
    {{0, 5, 3}},   {{4, 0, 3}},   {{3, 5, 0}},    {{1, 1, 1}},    {{7, 1, 19}},   {{1, 67, 13}},
    {{5, 31, 64}}, {{6, 32, 16}}, {{13, 33, 9}},  {{31, 17, 61}}, {{96, 130, 7}}, {{61, 64, 127}},
    {{7, 33, 0}},  {{3, 70, 5}},  {{2, 4099, 3}}, {{3, 2, 4099}}, {{4099, 3, 2}}, {{12, 64, 700}}};

typedef void product_function(const float *a, const float *b, float *c, int m, int n, int k);

static int call_product(product_function *product, const wb_case *c) {
  omp_set_max_active_levels(c->size.n[K] == LONE_K ? 0 : 1);
  product(wb_f32(c, A), wb_f32(c, B), wb_f32(c, C), dim(c, M), dim(c, N), dim(c, K));
  omp_set_max_active_levels(1);
  return 0;
}

static int call_matmul(const wb_case *c) { return call_product(matmul, c); }
static int call_matmul_parallel(const wb_case *c) { return call_product(matmul_parallel, c); }
static int call_matmul_blocked(const wb_case *c) { return call_product(matmul_blocked, c); }
static int call_naive(const wb_case *c) { return call_product(baseline_matmul_naive, c); }
static int call_one_core(const wb_case *c) { return call_product(baseline_matmul_one_core, c); }
static int call_all_cores(const wb_case *c) { return call_product(baseline_matmul_all_cores, c); }

/*
 * A sum of k float products, in any order, fused or not, is wrong by at most gamma_k = k eps / (1 - k eps)
 * times the sum of |a b| (Higham, Accuracy and Stability of Numerical Algorithms, 3.1). Roundings go up and
 * down, so with random inputs 8 sqrt(k) eps also holds, except with a probability below k * 1e-13 (Higham and
 * Mary 2019). The tolerance is the smaller bound: from k = 64 on that is the second. At k = 480 it still
 * rejects inputs that were rounded to half precision or TF32.
 */
static wb_expected expect_product(const wb_case *c, int array, size_t i) {
  (void)array;
  const size_t n = c->size.n[N], k = c->size.n[K], row = i / n, column = i % n;
  const float *a = wb_f32(c, A) + row * k, *b = wb_f32(c, B) + column;
  double sum = 0, magnitude = 0;
  for (size_t p = 0; p < k; p++) {
    const double product = (double)a[p] * b[p * n]; /* exact */
    sum += product;
    magnitude += fabs(product);
  }
  const double worst = (double)k * WB_EPS32 / (1 - (double)k * WB_EPS32);
  const double likely = 8 * sqrt((double)k) * WB_EPS32;
  return (wb_expected){.value = sum, .tolerance = fmin(worst, likely) * magnitude};
}

static double term(const wb_case *c, size_t i, size_t p) {
  const size_t n = c->size.n[N], k = c->size.n[K];
  return (double)wb_f32(c, A)[i / n * k + p] * wb_f32(c, B)[p * n + i % n];
}

static const char *cause_product(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  return wb_cause_of_terms(c, i, term, c->size.n[K], got, WB_EPS32);
}

/* A multiplication and an addition for each of m * n * k terms. */
static double flops_product(const wb_case *c) {
  return 2.0 * (double)c->size.n[M] * (double)c->size.n[N] * (double)c->size.n[K];
}

/* ---- Task 4: sum_parallel ---- */

enum { TERMS, SUM };

static size_t one(const wb_case *c) {
  (void)c;
  return 1;
}

static int call_sum(const wb_case *c) {
  wb_f64(c, SUM)[0] = sum_parallel(wb_f32(c, TERMS), length(c));
  return 0;
}

static int call_sum_one_core(const wb_case *c) {
  wb_f64(c, SUM)[0] = baseline_sum_one_core(wb_f32(c, TERMS), length(c));
  return 0;
}

static int call_sum_all_cores(const wb_case *c) {
  wb_f64(c, SUM)[0] = baseline_sum_all_cores(wb_f32(c, TERMS), length(c));
  return 0;
}

/* Both sums add n doubles in some order: each is wrong by at most n eps times the sum of |x|. The error of a
 * sum in float would be some 10^5 times that. */
static wb_expected expect_sum(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  double sum = 0, magnitude = 0;
  for (size_t j = 0; j < c->size.n[0]; j++) {
    sum += wb_f32(c, TERMS)[j];
    magnitude += fabs((double)wb_f32(c, TERMS)[j]);
  }
  return (wb_expected){.value = sum, .tolerance = 2.0 * (double)c->size.n[0] * WB_EPS64 * magnitude};
}

static double bytes_sum(const wb_case *c) { return 4.0 * (double)c->size.n[0]; }
static double flops_sum(const wb_case *c) { return (double)c->size.n[0]; }

/* ---- The table ---- */

static const wb_baseline saxpys[] = {{"simple", "the plain loop", call_plain_saxpy, NULL},
                                     {"all-cores", "the same on all cores", call_saxpy_all_cores, NULL}};
static const wb_baseline naive[] = {{"naive", "loops in the order i, j, p", call_naive, NULL}};
static const wb_baseline product_cores[] = {{"one-core", "the same on one core", call_one_core, NULL},
                                            {"all-cores", "the same on all cores", call_all_cores, NULL}};
static const wb_baseline sum_cores[] = {{"one-core", "the same on one core", call_sum_one_core, NULL},
                                        {"all-cores", "the same on all cores", call_sum_all_cores, NULL}};
static const wb_baseline all_cores[] = {{"all-cores", "row by row on all cores", call_all_cores, NULL}};

/* Arrays and sizes are the same for the three products. The timed size is not a power of two, because those
 * use few cache sets. */
#define PRODUCT                                                                                              \
  .dims = "m n k",                                                                                           \
  .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_a},                                                         \
             {"b", WB_IN, WB_HOST, WB_F32, count_b},                                                         \
             {"c", WB_OUT, WB_HOST, WB_F32, count_c}},                                                       \
  .sizes = matmul_sizes, .size_count = WB_COUNT(matmul_sizes), .timed = {{480, 480, 480}},                   \
  .special = WB_NAN, .expect = expect_product, .cause = cause_product, .flops = flops_product

static const wb_task tasks[] = {
    {.name = "saxpy",
     .what = "y = a x + y",
     .number = 1,
     .dims = "n",
     .arrays = {{"x", WB_IN, WB_HOST, WB_F32, count_n}, {"y", WB_INOUT, WB_HOST, WB_F32, count_n}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{1 << 24}},
     .special = WB_ANY,
     .call = call_saxpy,
     .expect = expect_saxpy,
     .cause = cause_saxpy,
     .bytes = bytes_saxpy,
     .flops = flops_saxpy,
     .baselines = saxpys,
     .baseline_count = WB_COUNT(saxpys)},
    {.name = "matmul",
     .what = "c = a b on one core, along rows",
     .number = 2,
     PRODUCT,
     .call = call_matmul,
     .baselines = naive,
     .baseline_count = WB_COUNT(naive)},
    {.name = "matmul_parallel",
     .what = "c = a b on all cores",
     .number = 3,
     PRODUCT,
     .call = call_matmul_parallel,
     .baselines = product_cores,
     .baseline_count = WB_COUNT(product_cores)},
    {.name = "sum_parallel",
     .what = "the sum of x in double, on all cores",
     .number = 4,
     .dims = "n",
     .arrays = {{"x", WB_IN, WB_HOST, WB_F32, count_n}, {"sum", WB_OUT, WB_HOST, WB_F64, one}},
     .sizes = sizes,
     .size_count = WB_COUNT(sizes),
     .timed = {{1 << 24}},
     .special = WB_NAN,
     .call = call_sum,
     .expect = expect_sum,
     .bytes = bytes_sum,
     .flops = flops_sum,
     .baselines = sum_cores,
     .baseline_count = WB_COUNT(sum_cores)},
    {.name = "matmul_blocked",
     .what = "c = a b on all cores, each loaded value used several times",
     .number = 0,
     PRODUCT,
     .call = call_matmul_blocked,
     .baselines = all_cores,
     .baseline_count = WB_COUNT(all_cores)},
};

static const wb_lesson lesson = {
    .name = "lesson01", .title = "loops", .tasks = tasks, .task_count = WB_COUNT(tasks)};

int main(int argc, char **argv) { return wb_main(argc, argv, &lesson); }
