/* The check of an answer, and the description of a wrong one: common/harness/model/check.c, picture.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "model/picture.h"
#include "model/random.h"

#define N 40000 /* enough for two threads */

static float input[N], output[N];
static double tolerance, wanted;

static size_t count_all(const wb_case *c) { return c->size.n[0] * (c->size.n[1] ? c->size.n[1] : 1); }
static wb_expected expect_double(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = 2 * wb_f32(c, 0)[i], .tolerance = tolerance};
}
static wb_expected expect_wanted(const wb_case *c, int array, size_t i) {
  (void)c, (void)array, (void)i;
  return (wb_expected){.value = wanted, .tolerance = tolerance};
}

static const wb_task line = {
    .name = "line",
    .dims = "n",
    .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_all}, {"b", WB_OUT, WB_HOST, WB_F32, count_all}},
    .expect = expect_double};
static const wb_task plane = {
    .name = "plane",
    .dims = "m n",
    .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_all}, {"b", WB_OUT, WB_HOST, WB_F32, count_all}},
    .expect = expect_double};
static const wb_task single = {
    .name = "single",
    .dims = "n",
    .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_all}, {"b", WB_OUT, WB_HOST, WB_F32, count_all}},
    .expect = expect_wanted};
static const wb_task inplace = {.name = "inplace",
                                .dims = "n",
                                .arrays = {{"x", WB_INOUT, WB_HOST, WB_F32, count_all}},
                                .expect = expect_double};

static const wb_task whole = {
    .name = "whole",
    .dims = "n",
    .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_all}, {"b", WB_OUT, WB_HOST, WB_I32, count_all}},
    .expect = expect_double};

static size_t count_first(const wb_case *c) { return c->size.n[0]; }
static const wb_task grid = {
    .name = "grid",
    .dims = "n blocks threads",
    .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_first}, {"b", WB_OUT, WB_HOST, WB_F32, count_first}},
    .expect = expect_double};

static size_t count_padded(const wb_case *c) { return c->size.n[0] * (c->size.n[1] + 2); }
static wb_rows rows_padded(const wb_case *c) { return (wb_rows){c->size.n[1], c->size.n[1] + 2}; }
static const wb_task padded = {.name = "padded",
                               .dims = "m n",
                               .arrays = {{"a", WB_IN, WB_HOST, WB_F32, count_padded},
                                          {"b", WB_OUT, WB_HOST, WB_F32, count_padded, .rows = rows_padded}},
                               .expect = expect_double};

static wb_case inputs;
static wb_verdict verdict;

/* A right answer of n (times m) elements, which a test then changes. */
static void right_answer(size_t n, size_t m) {
  tolerance = 0;
  inputs = (wb_case){.size = {{n, m}}, .array = {input}};
  const size_t count = count_all(&inputs);
  for (size_t i = 0; i < count; i++) {
    input[i] = 1.0f + (float)i;
    output[i] = 2 * input[i];
  }
}

static void look(const wb_task *task, size_t sample) {
  void *got[] = {task == &inplace ? output : input, output, NULL, NULL, NULL, NULL};
  assert_true(wb_check(task, &inputs, got, sample, 99, &verdict));
}

static void poison(size_t from, size_t to) { memset(output + from, 0xFF, (to - from) * sizeof(float)); }

static void assert_words(const wb_task *task, const char *words, bool wanted) {
  wb_text text = {0};
  wb_describe(task, &verdict, &text);
  wb_text_add(&text, "\n");
  wb_picture(task, &verdict, &text);
  const bool found = strstr(wb_text_get(&text), words) != NULL;
  if (found != wanted) fail_msg("%s \"%s\" in:\n%s", found ? "a" : "no", words, wb_text_get(&text));
  wb_text_free(&text);
}

static void assert_says(const wb_task *task, const char *sentence) { assert_words(task, sentence, true); }

static void a_right_answer_is_right(void **state) {
  (void)state;
  right_answer(N, 0);
  look(&line, 0);
  assert_int_equal(verdict.array, -1);
  assert_int_equal(verdict.wrong, 0);
  assert_int_equal(verdict.count, N);
  assert_float_equal(verdict.max_error, 0, 0);
}

static void a_task_without_elements_is_right(void **state) {
  (void)state;
  right_answer(0, 0);
  look(&line, 0);
  assert_int_equal(verdict.array, -1);
  assert_int_equal(verdict.count, 0);
}

static void the_largest_error_is_a_share_where_tolerances_differ_much(void **state) {
  (void)state;
  right_answer(10, 0);
  tolerance = 0.25;
  output[3] += 0.125f;
  look(&line, 0);
  assert_float_equal(verdict.max_share, 0.5, 0);
  assert_false(wb_by_share(&verdict));
  verdict.least_tolerance = 1e-9;
  assert_true(wb_by_share(&verdict));
}

static void the_tolerance_is_exact(void **state) {
  (void)state;
  right_answer(10, 0);
  tolerance = 0.25;
  output[3] += 0.25f;
  look(&line, 0);
  assert_int_equal(verdict.array, -1);
  assert_float_equal(verdict.max_error, 0.25, 0);
  assert_float_equal(verdict.max_tolerance, 0.25, 0);
  output[3] += 0.125f;
  look(&line, 0);
  assert_int_equal(verdict.array, 1);
  assert_int_equal(verdict.wrong, 1);
  assert_int_equal(verdict.pattern.first, 3);
}

static void nan_is_wrong_whatever_the_tolerance(void **state) {
  (void)state;
  right_answer(1000, 0);
  tolerance = INFINITY;
  output[7] = NAN;
  look(&line, 0);
  assert_int_equal(verdict.wrong, 1);
  assert_true(isinf(verdict.max_error));
  tolerance = 1;
  look(&line, 0);
  assert_int_equal(verdict.wrong, 1);
  assert_says(&line, "b[7] is NaN, expected 16");
  assert_words(&line, "NaN or infinite", false); /* said already */
  output[8] = INFINITY;
  output[9] = 0;
  look(&line, 0);
  assert_says(&line, "2 of them are NaN or infinite");
  output[9] = NAN;
  look(&line, 0);
  assert_says(&line, "All of them are NaN or infinite");
}

static void an_expected_nan_is_any_nan_but_the_poison(void **state) {
  (void)state;
  right_answer(2, 0);
  wanted = NAN;
  output[0] = NAN;
  output[1] = -NAN;
  look(&single, 0);
  assert_int_equal(verdict.wrong, 0);
  output[1] = 0;
  look(&single, 0);
  assert_int_equal(verdict.wrong, 1);
  assert_says(&single, "b[1] is 0, expected NaN");
  poison(1, 2);
  look(&single, 0);
  assert_int_equal(verdict.wrong, 1);
  assert_says(&single, "b[1] was never written; expected NaN");
}

static void infinity_equals_only_itself(void **state) {
  (void)state;
  right_answer(1, 0);
  wanted = INFINITY;
  output[0] = INFINITY;
  look(&single, 0);
  assert_int_equal(verdict.wrong, 0);
  output[0] = -INFINITY;
  look(&single, 0);
  assert_int_equal(verdict.wrong, 1);
  wanted = 1;
  tolerance = 1e30;
  output[0] = INFINITY;
  look(&single, 0);
  assert_int_equal(verdict.wrong, 1);
}

static void poison_is_distinguished_from_nan(void **state) {
  (void)state;
  right_answer(1021, 0);
  poison(1000, 1021);
  look(&line, 0);
  assert_int_equal(verdict.wrong, 21);
  assert_int_equal(verdict.pattern.never_written, 21);
  assert_int_equal(verdict.pattern.not_a_number, 0);
  assert_says(&line, "b[1000] was never written");
  assert_says(&line, "the last 21 of 1021");
}

/* As a whole number the poison is -1, which also occurs by chance. */
static void a_few_whole_numbers_of_minus_one_are_not_poison(void **state) {
  (void)state;
  right_answer(1000, 0);
  int32_t number[1000];
  for (int i = 0; i < 1000; i++) number[i] = i % 500 == 3 ? -1 : -7;
  memcpy(output, number, sizeof number);
  look(&whole, 0);
  assert_int_equal(verdict.wrong, 1000);
  assert_words(&whole, "never written", false);
  poison(500, 1000);
  look(&whole, 0);
  assert_says(&whole, "501 of the wrong elements were never written");
}

static void poison_in_an_inout_array_comes_from_memory_without_a_value(void **state) {
  (void)state;
  right_answer(100, 0);
  poison(10, 20);
  look(&inplace, 0);
  assert_int_equal(verdict.pattern.never_written, 10);
  assert_says(&inplace, "[10] is NaN, expected");
  assert_says(&inplace, "come from memory that was never written");
}

static void an_untouched_inout_array_is_recognised(void **state) {
  (void)state;
  right_answer(100, 0);
  memcpy(output, input, sizeof(float) * 100);
  look(&inplace, 0);
  assert_int_equal(verdict.wrong, 100);
  assert_int_equal(verdict.pattern.unchanged, 100);
  assert_says(&inplace, "still have their input values");
}

static void every_32nd_is_recognised(void **state) {
  (void)state;
  right_answer(N, 0);
  for (size_t i = 31; i < N; i += 32) output[i] = 0;
  look(&line, 0);
  assert_int_equal(verdict.wrong, N / 32);
  assert_int_equal(verdict.pattern.stride, 32);
  assert_int_equal(verdict.pattern.first, 31);
  assert_says(&line, "one in every 32 elements, from 31 on");
}

static void the_first_wrong_is_the_first_of_all_threads(void **state) {
  (void)state;
  right_answer(N, 0);
  output[N - 2] = output[N - 1] = 0;
  look(&line, 0);
  assert_int_equal(verdict.pattern.first, N - 2);
  assert_float_equal(verdict.expected, 2 * input[N - 2], 0);
  output[5] = 0;
  look(&line, 0);
  assert_int_equal(verdict.pattern.first, 5);
  assert_int_equal(verdict.pattern.last, N - 1);
  assert_int_equal(verdict.wrong, 3);
}

static void a_strip_shows_where_elements_are_wrong(void **state) {
  (void)state;
  right_answer(6400, 0);
  for (size_t i = 6300; i < 6400; i++) output[i] = 0; /* the last of 64 parts */
  output[0] = 0;
  look(&line, 0);
  assert_says(&line, "  +..............................................................#\n");
}

static void a_map_shows_rows_and_columns(void **state) {
  (void)state;
  right_answer(3, 5);
  for (size_t row = 0; row < 3; row++) output[row * 5 + 4] = 0;
  look(&plane, 0);
  assert_int_equal(verdict.pattern.shape.rows, 3);
  assert_int_equal(verdict.pattern.shape.cols, 5);
  assert_says(&plane, "b[0][4] is 0, expected 10");
  assert_says(&plane, "  ....#\n  ....#\n  ....#\n");
}

static void an_array_of_the_first_size_is_a_line(void **state) {
  (void)state;
  right_answer(12, 0);
  inputs.size = (wb_size){{12, 3, 4}};
  output[7] = 0;
  look(&grid, 0);
  assert_says(&grid, "b[7] is 0, expected 16");
}

static void a_map_shows_padding_apart_from_the_columns(void **state) {
  (void)state;
  right_answer(3, 7);
  inputs.size.n[1] = 5;
  output[8] = 0;
  look(&padded, 0);
  assert_says(&padded, "b[1][1] is 0, expected 18 (1 of 21 elements is wrong)");
  assert_says(&padded, "b has 3 rows and 5 columns (. right, + some wrong, # all wrong; after | padding):\n"
                       "  .....|.\n  .#...|.\n  .....|.\n");
  output[5] = output[6] = 0;
  look(&padded, 0);
  assert_says(&padded, "the padding after row 0 of b is 0, expected 12 (3 of 21 elements are wrong)");
  assert_says(&padded, "2 of them are in the padding, which must not change");
  assert_says(&padded, "  .....|#\n  .#...|.\n");
}

static void elements_after_rows_and_pieces_of_columns_are_named(void **state) {
  (void)state;
  right_answer(9, 7);
  inputs.size.n[1] = 5;
  output[5] = output[3 * 7 + 5] = output[6 * 7 + 5] = 0;
  look(&padded, 0);
  assert_says(&padded, "Each is the first element of the padding, next to the end of its row");
  assert_says(&padded, "They are in one of every 3 rows, from row 0 on");
  right_answer(9, 7);
  inputs.size.n[1] = 5;
  for (size_t row = 4; row < 8; row++) output[row * 7 + 2] = 0;
  look(&padded, 0);
  assert_says(&padded, "They are in rows 4 to 7 of 9, in column 2");
}

static void a_matrix_of_padding_alone_is_drawn(void **state) {
  (void)state;
  right_answer(3, 2);
  inputs.size.n[1] = 0;
  output[2] = output[3] = 0;
  look(&padded, 0);
  assert_says(&padded, "All of them are in the padding");
  assert_says(&padded, "  |.\n  |#\n  |.\n");
}

static void reports_when_all_elements_are_wrong(void **state) {
  (void)state;
  right_answer(50, 0);
  poison(0, 50);
  look(&line, 0);
  assert_says(&line, "all 50 elements are wrong");
}

static void a_sample_contains_the_first_and_the_last_element(void **state) {
  (void)state;
  right_answer(N, 0);
  output[N - 1] = 0;
  look(&line, 1000);
  assert_int_equal(verdict.count, 1000);
  assert_int_equal(verdict.pattern.first, N - 1);
  right_answer(N, 0);
  output[0] = 0;
  look(&line, 1000);
  assert_int_equal(verdict.pattern.first, 0);
}

static void a_sample_finds_widespread_errors(void **state) {
  (void)state;
  right_answer(N, 0);
  for (size_t i = 1; i < N; i += 10) output[i] = 0;
  look(&line, 1000);
  assert_in_range(verdict.wrong, 50, 150);
  assert_says(&line, "sampled elements are wrong");
}

static void small_arrays_are_checked_in_full(void **state) {
  (void)state;
  right_answer(100, 0);
  look(&line, 1000);
  assert_int_equal(verdict.count, 100);
}

static void a_failed_call_must_not_change_outputs(void **state) {
  (void)state;
  size_t index = 0;
  void *got[] = {input, output, NULL, NULL, NULL, NULL};
  right_answer(64, 0);
  poison(0, 64);
  assert_int_equal(wb_check_untouched(&line, &inputs, got, &index), -1);
  output[40] = 1;
  assert_int_equal(wb_check_untouched(&line, &inputs, got, &index), 1);
  assert_int_equal(index, 40);
  void *same[] = {output, NULL, NULL, NULL, NULL, NULL};
  memcpy(output, input, sizeof output);
  assert_int_equal(wb_check_untouched(&inplace, &inputs, same, &index), -1);
  output[2] = 0;
  assert_int_equal(wb_check_untouched(&inplace, &inputs, same, &index), 0);
}

static void a_changed_input_is_found(void **state) {
  (void)state;
  static char own[4 << 20], now[4 << 20];
  static const wb_task large = {
      .name = "large",
      .dims = "n",
      .arrays = {{"a", WB_IN, WB_HOST, WB_U8, count_all}, {"b", WB_OUT, WB_HOST, WB_U8, count_all}}};
  void *shared[] = {now, NULL, NULL, NULL, NULL, NULL};
  const size_t sizes[] = {0, 1, 1000, sizeof own};
  size_t at = 0;
  for (size_t s = 0; s < WB_COUNT(sizes); s++) {
    inputs = (wb_case){.size = {{sizes[s]}}, .array = {own}};
    memset(now, 0, sizeof now);
    assert_int_equal(wb_check_inputs(&large, &inputs, shared, &at), -1);
    if (sizes[s] == 0) continue;
    now[sizes[s] == 1000 ? 999 : 0] = 1;
    assert_int_equal(wb_check_inputs(&large, &inputs, shared, &at), 0);
    assert_int_equal(at, sizes[s] == 1000 ? 999 : 0);
  }
  now[0] = 0;
  memset(now + (1 << 20), 1, 1 << 20); /* a quarter of it */
  assert_int_equal(wb_check_inputs(&large, &inputs, shared, &at), 0);
}

static void a_number_near_an_end_of_a_window_is_open(void **state) {
  (void)state;
  const wb_window none = {0}, window = {.low = 1, .high = 2};
  assert_true(wb_share(&none, 0, 0) == 1 && wb_share(&none, 1, 0.5) == 1);
  assert_true(wb_share(&window, 1, 0) == 0 && wb_share(&window, -1.5, 0.25) == 0);
  assert_true(wb_share(&window, 2, 0) == 1 && wb_share(&window, 0.5, 0.25) == 1);
  assert_true(wb_share(&window, 1, 0.125) == 0.5 && wb_share(&window, -2, 0.125) == 0.5);
  assert_true(wb_share(&window, 1.5, 1) == 0.5);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_right_answer_is_right),
      cmocka_unit_test(a_task_without_elements_is_right),
      cmocka_unit_test(the_largest_error_is_a_share_where_tolerances_differ_much),
      cmocka_unit_test(the_tolerance_is_exact),
      cmocka_unit_test(nan_is_wrong_whatever_the_tolerance),
      cmocka_unit_test(an_expected_nan_is_any_nan_but_the_poison),
      cmocka_unit_test(infinity_equals_only_itself),
      cmocka_unit_test(poison_is_distinguished_from_nan),
      cmocka_unit_test(a_few_whole_numbers_of_minus_one_are_not_poison),
      cmocka_unit_test(poison_in_an_inout_array_comes_from_memory_without_a_value),
      cmocka_unit_test(an_untouched_inout_array_is_recognised),
      cmocka_unit_test(every_32nd_is_recognised),
      cmocka_unit_test(the_first_wrong_is_the_first_of_all_threads),
      cmocka_unit_test(a_strip_shows_where_elements_are_wrong),
      cmocka_unit_test(a_map_shows_rows_and_columns),
      cmocka_unit_test(an_array_of_the_first_size_is_a_line),
      cmocka_unit_test(a_map_shows_padding_apart_from_the_columns),
      cmocka_unit_test(elements_after_rows_and_pieces_of_columns_are_named),
      cmocka_unit_test(a_matrix_of_padding_alone_is_drawn),
      cmocka_unit_test(reports_when_all_elements_are_wrong),
      cmocka_unit_test(a_sample_contains_the_first_and_the_last_element),
      cmocka_unit_test(a_sample_finds_widespread_errors),
      cmocka_unit_test(small_arrays_are_checked_in_full),
      cmocka_unit_test(a_failed_call_must_not_change_outputs),
      cmocka_unit_test(a_changed_input_is_found),
      cmocka_unit_test(a_number_near_an_end_of_a_window_is_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
