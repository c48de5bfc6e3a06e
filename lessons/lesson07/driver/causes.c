/* causes.c: see causes.h. */
#include "causes.h"
#include "baselines.h"
#include "model/cause_terms.h"

#include <math.h>

#define MOST_TERMS 4096

/* ---- Terms of element i: factors of A's row and of B's column ---- */

static size_t in_a(const wb_case *c, size_t i, size_t p) { return i / c->size.n[N] * c->size.n[K] + p; }
static size_t in_b(const wb_case *c, size_t i, size_t p) { return p * c->size.n[N] + i % c->size.n[N]; }

static double term(const wb_case *c, size_t i, size_t p) {
  return (double)wb_f32(c, D_A)[in_a(c, i, p)] * wb_f32(c, D_B)[in_b(c, i, p)];
}

/* A, or B, read as if its rows and columns were exchanged. */
static double term_of_other_a(const wb_case *c, size_t i, size_t p) {
  return (double)wb_f32(c, D_A)[p * c->size.n[M] + i / c->size.n[N]] * wb_f32(c, D_B)[in_b(c, i, p)];
}
static double term_of_other_b(const wb_case *c, size_t i, size_t p) {
  return (double)wb_f32(c, D_A)[in_a(c, i, p)] * wb_f32(c, D_B)[i % c->size.n[N] * c->size.n[K] + p];
}

static double term_double(const wb_case *c, size_t i, size_t p) {
  return wb_f64(c, D_A)[in_a(c, i, p)] * wb_f64(c, D_B)[in_b(c, i, p)];
}

/* Factors that were rounded to float. */
static double term_of_float_a(const wb_case *c, size_t i, size_t p) {
  return (float)wb_f64(c, D_A)[in_a(c, i, p)] * wb_f64(c, D_B)[in_b(c, i, p)];
}
static double term_of_float_b(const wb_case *c, size_t i, size_t p) {
  return wb_f64(c, D_A)[in_a(c, i, p)] * (float)wb_f64(c, D_B)[in_b(c, i, p)];
}
static double term_of_floats(const wb_case *c, size_t i, size_t p) {
  return (double)(float)wb_f64(c, D_A)[in_a(c, i, p)] * (float)wb_f64(c, D_B)[in_b(c, i, p)];
}

/* ---- Sums ---- */

/* NaN where one term is infinite: what should add nothing has met it. */
static int meets_infinity(const wb_case *c, size_t i, wb_term *right, double got) {
  double sum = 0;
  for (size_t p = 0; p < c->size.n[K]; p++) sum += right(c, i, p);
  return isnan(got) && isinf(sum);
}

static const char zero_times_infinity[] =
    "0 times an infinity is NaN, and so is an infinity minus itself: only numbers of both matrices' own rows "
    "and "
    "columns may be multiplied, beyond their edges zeros, and no rounding error may be subtracted";

/* Whether `got` is the sum of these terms and far from that of the right ones. */
static int is_sum_of(const wb_case *c, size_t i, wb_term *other, wb_term *right, double got, double epsilon) {
  const size_t k = c->size.n[K];
  double sum = 0, want = 0, magnitude = 0;
  for (size_t p = 0; p < k; p++) {
    const double x = other(c, i, p);
    sum += x;
    magnitude += fabs(x);
    want += right(c, i, p);
  }
  const double near = (double)k * epsilon * magnitude;
  return fabs(got - sum) <= near && fabs(want - sum) > 4 * near;
}

const char *cause_product(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  if (c->size.n[K] < 2 || c->size.n[K] > MOST_TERMS) return NULL;
  if (meets_infinity(c, i, term, got)) return zero_times_infinity;
  if (is_sum_of(c, i, term_of_other_a, term, got, WB_EPS32))
    return "it is the product with A read as if its rows and columns were exchanged: element (i, p) of A is "
           "d_a[i * k + p]";
  if (is_sum_of(c, i, term_of_other_b, term, got, WB_EPS32))
    return "it is the product with B read as if its rows and columns were exchanged: element (p, j) of B is "
           "d_b[p * n + j]";
  return wb_cause_of_terms(c, i, term, c->size.n[K], got, WB_EPS32);
}

const char *cause_product_double(const wb_case *c, int array, size_t i, double got) {
  (void)array;
  if (c->size.n[K] > MOST_TERMS) return NULL;
  if (meets_infinity(c, i, term_double, got)) return zero_times_infinity;
  if (is_sum_of(c, i, term_of_float_a, term_double, got, WB_EPS64))
    return "it is the product with the elements of A rounded to float: of which type is the memory that they "
           "pass "
           "through?";
  if (is_sum_of(c, i, term_of_float_b, term_double, got, WB_EPS64))
    return "it is the product with the elements of B rounded to float: of which type is the memory that they "
           "pass "
           "through?";
  if (is_sum_of(c, i, term_of_floats, term_double, got, WB_EPS64))
    return "it is the product with all elements rounded to float: of which type is the memory that they pass "
           "through?";
  return wb_cause_of_terms(c, i, term_double, c->size.n[K], got, WB_EPS64);
}
