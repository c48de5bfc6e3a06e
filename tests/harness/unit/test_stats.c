/* Statistics of a few samples: common/harness/model/stats.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "model/stats.h"

static wb_samples of(const double *value, size_t count) {
  wb_samples samples = {0};
  for (size_t i = 0; i < count; i++) wb_samples_add(&samples, value[i]);
  return samples;
}

#define SAMPLES(...) of((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void median_is_the_middle_one(void **state) {
  (void)state;
  wb_samples odd = SAMPLES(5, 1, 3), even = SAMPLES(4, 1, 3, 2), none = {0};
  assert_float_equal(wb_median(&odd), 3, 0);
  assert_float_equal(wb_median(&even), 2.5, 0);
  assert_true(isnan(wb_median(&none)));
  assert_float_equal(odd.value[0], 5, 0); /* the samples keep their order */
  wb_samples_free(&odd);
  wb_samples_free(&even);
}

static void one_outlier_moves_neither_median_nor_noise(void **state) {
  (void)state;
  wb_samples calm = SAMPLES(10, 10.1, 9.9, 10, 10.1, 9.9, 10),
             spike = SAMPLES(10, 10.1, 9.9, 10, 10.1, 9.9, 900);
  assert_float_equal(wb_median(&calm), 10, 1e-12);
  assert_float_equal(wb_median(&spike), 10, 1e-12);
  assert_true(wb_noise(&spike) < 0.02);
  assert_float_equal(wb_minimum(&spike), 9.9, 1e-12);
  wb_samples_free(&calm);
  wb_samples_free(&spike);
}

static void noise_of_a_known_spread(void **state) {
  (void)state;
  wb_samples samples = SAMPLES(8, 9, 10, 11, 12); /* deviations 2 1 0 1 2: their median is 1 */
  assert_float_equal(wb_noise(&samples), 0.14826, 1e-9);
  assert_float_equal(wb_standard_error(&samples), 1.2533 * 0.14826 / sqrt(5), 1e-9);
  wb_samples_free(&samples);
}

static void noise_of_one_sample_is_0(void **state) {
  (void)state;
  wb_samples one = SAMPLES(7);
  assert_float_equal(wb_noise(&one), 0, 0);
  wb_samples_free(&one);
}

static void ratio_above_1_means_faster(void **state) {
  (void)state;
  wb_samples fast = SAMPLES(2, 2, 2, 2), slow = SAMPLES(4, 4, 4, 4);
  const wb_ratio same_work = wb_speed_ratio(&fast, 10, &slow, 10);
  assert_float_equal(same_work.value, 2, 1e-12);
  assert_float_equal(same_work.low, 2, 1e-12);
  assert_float_equal(same_work.high, 2, 1e-12);
  const wb_ratio half_the_work = wb_speed_ratio(&fast, 5, &slow, 10);
  assert_float_equal(half_the_work.value, 1, 1e-12);
  wb_samples_free(&fast);
  wb_samples_free(&slow);
}

static void noise_widens_the_ratio(void **state) {
  (void)state;
  wb_samples noisy = SAMPLES(8, 9, 10, 11, 12), calm = SAMPLES(10, 10, 10, 10, 10);
  const wb_ratio ratio = wb_speed_ratio(&calm, 1, &noisy, 1);
  const double error = (2 + 4.0 / 4) * wb_standard_error(&noisy);
  assert_float_equal(ratio.low, 1 - error, 1e-9);
  assert_float_equal(ratio.high, 1 + error, 1e-9);
  wb_samples_free(&noisy);
  wb_samples_free(&calm);
}

static void a_slowdown_of_both_cancels_out(void **state) {
  (void)state;
  wb_samples a = SAMPLES(1, 5, 2, 9, 1), b = SAMPLES(2, 10, 4, 18, 2);
  const wb_ratio ratio = wb_speed_ratio(&a, 1, &b, 1);
  assert_float_equal(ratio.value, 2, 1e-12);
  assert_float_equal(ratio.low, 2, 1e-12);
  assert_float_equal(ratio.high, 2, 1e-12);
  wb_samples_free(&a);
  wb_samples_free(&b);
}

static void two_samples_give_no_finite_interval(void **state) {
  (void)state;
  wb_samples two = SAMPLES(1, 1), many = SAMPLES(4, 4, 4, 4);
  const wb_ratio ratio = wb_speed_ratio(&two, 1, &many, 1);
  assert_float_equal(ratio.low, 0, 0);
  assert_true(isinf(ratio.high));
  wb_samples_free(&two);
  wb_samples_free(&many);
}

static void stops_when_settled_and_not_before(void **state) {
  (void)state;
  const wb_stopping rule = {
      .least = 10, .most = 100, .error = 0.005, .least_seconds = 0.5, .budget_seconds = 5};
  assert_false(wb_stop(&rule, 9, 0.001, 1, 1));    /* too few rounds */
  assert_false(wb_stop(&rule, 10, 0.006, 1, 1));   /* not settled */
  assert_false(wb_stop(&rule, 10, 0.001, 0.4, 1)); /* too little time measured */
  assert_true(wb_stop(&rule, 10, 0.001, 0.6, 1));
  assert_true(wb_stop(&rule, 100, 1, 0, 1)); /* enough is enough */
  assert_true(wb_stop(&rule, 3, 1, 0, 5));   /* out of time */
  assert_false(wb_stop(&rule, 2, 1, 0, 5));  /* but never with fewer than three */
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(median_is_the_middle_one),
      cmocka_unit_test(one_outlier_moves_neither_median_nor_noise),
      cmocka_unit_test(noise_of_a_known_spread),
      cmocka_unit_test(noise_of_one_sample_is_0),
      cmocka_unit_test(ratio_above_1_means_faster),
      cmocka_unit_test(noise_widens_the_ratio),
      cmocka_unit_test(a_slowdown_of_both_cancels_out),
      cmocka_unit_test(two_samples_give_no_finite_interval),
      cmocka_unit_test(stops_when_settled_and_not_before),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
