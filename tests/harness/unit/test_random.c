/* The inputs' random numbers: common/harness/model/random.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/check.h"
#include "model/random.h"

#define COUNT 300000 /* more than one thread's share */

static const wb_type types[] = {WB_F32, WB_F64, WB_I32, WB_U8};

static void any_element_can_be_repeated(void **state) {
  (void)state;
  for (size_t t = 0; t < WB_COUNT(types); t++) {
    char *array = malloc(COUNT * wb_type_bytes(types[t])), *copy = malloc(COUNT * wb_type_bytes(types[t]));
    wb_random_fill(array, copy, types[t], COUNT, 42);
    for (size_t i = 0; i < COUNT; i += 997)
      assert_true(wb_element(types[t], array, i) == wb_random_value(types[t], 42, i));
    assert_memory_equal(array, copy, COUNT * wb_type_bytes(types[t]));
    free(array);
    free(copy);
  }
}

static void values_are_never_zero_and_within_their_range(void **state) {
  (void)state;
  const double least[] = {0.5, 0.5, 1, 1}, most[] = {2, 2, (1 << 20) + 1, 255};
  for (size_t t = 0; t < WB_COUNT(types); t++) {
    size_t negative = 0;
    for (uint64_t i = 0; i < 20000; i++) {
      const double value = wb_random_value(types[t], 7, i);
      assert_true(fabs(value) >= least[t] && fabs(value) <= most[t]);
      negative += value < 0;
    }
    if (types[t] == WB_U8)
      assert_int_equal(negative, 0);
    else
      assert_in_range(negative, 9000, 11000); /* both signs about equally often */
  }
}

static void small_values_are_more_frequent(void **state) {
  (void)state;
  size_t small = 0;
  for (uint64_t i = 0; i < 20000; i++) small += wb_random_value(WB_U8, 3, i) <= 64;
  assert_in_range(small, 9000, 11000); /* a quarter of the range holds half of the values */
}

static void streams_differ(void **state) {
  (void)state;
  size_t equal = 0;
  for (uint64_t i = 0; i < 1000; i++)
    equal += wb_random(wb_random_key(1, 0), i) == wb_random(wb_random_key(1, 1), i);
  assert_int_equal(equal, 0);
  assert_true(wb_random_key(1, 2) != wb_random_key(2, 1));
}

static void bits_look_random(void **state) {
  (void)state;
  int ones[64] = {0};
  for (uint64_t i = 0; i < 10000; i++) {
    const uint64_t bits = wb_random(12345, i);
    for (int b = 0; b < 64; b++) ones[b] += (bits >> b) & 1;
  }
  for (int b = 0; b < 64; b++) assert_in_range(ones[b], 4750, 5250); /* 5 standard deviations */
}

static void factors_are_floats_in_range(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 10000; i++) {
    const double factor = wb_random_factor(9, i);
    assert_true(factor >= 0.5 && factor < 2);
    assert_true((double)(float)factor == factor);
  }
}

static void seeds_from_the_system_differ(void **state) {
  (void)state;
  assert_true(wb_random_seed() != wb_random_seed());
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_element_can_be_repeated),
      cmocka_unit_test(values_are_never_zero_and_within_their_range),
      cmocka_unit_test(small_values_are_more_frequent),
      cmocka_unit_test(streams_differ),
      cmocka_unit_test(bits_look_random),
      cmocka_unit_test(factors_are_floats_in_range),
      cmocka_unit_test(seeds_from_the_system_differ),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
