/* The threads of a launch and the elements that are right: common/harness/run/short_launch.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "run/short_launch.h"

static const wb_task task = {.name = "task", .arrays = {{"d_x", WB_INOUT, WB_DEVICE, WB_F32, NULL}}};

/* The line for a matrix of which the elements from `first` on are unchanged, and this launch; "" for none. */
static const char *line_of(wb_matrix shape, size_t first, wb_shape_of_launch launch) {
  static wb_text text;
  const size_t count = wb_elements(&shape);
  const wb_launched launched = {.known = 1, .launches = 1, .shapes = 1, .shape = {launch}};
  const wb_pattern pattern = {
      .shape = shape, .first = first, .wrong = count - first, .unchanged = count - first};
  const wb_verdict verdict = {.count = count, .pattern = pattern};
  wb_text_free(&text);
  const size_t each = wb_short_launch(&task, &verdict, &launched, &text);
  assert_int_equal(each > 0, text.size > 0);
  return wb_text_get(&text);
}

static void compares_threads_with_elements_rows_and_columns(void **state) {
  (void)state;
  assert_string_equal(
      line_of((wb_matrix){1, 1025, 1025}, 1024, (wb_shape_of_launch){{1, 1, 1}, {256, 1, 1}, 0}),
      "The launch, <<<(1,1,1), (256,1,1)>>>, has 256 threads, and the first 1024 of 1025 elements "
      "are right, 4 a thread: there is no thread for the next one.\n");
  assert_string_equal(
      line_of((wb_matrix){41, 3, 3}, 120, (wb_shape_of_launch){{1, 5, 1}, {32, 8, 1}, 0}),
      "The launch, <<<(1,5,1), (32,8,1)>>>, has 40 threads in y and z, and the first 40 of 41 rows "
      "are right: there is no thread for the next one. Is the number of blocks rounded down, limited, or "
      "made for "
      "larger blocks?\n");
  assert_string_equal(
      line_of((wb_matrix){3, 41, 41}, 40, (wb_shape_of_launch){{5, 1, 1}, {8, 8, 1}, 0}),
      "The launch, <<<(5,1,1), (8,8,1)>>>, has 40 threads in x, and the first 40 of 41 columns are "
      "right: there is no thread for the next one. Is the number of blocks rounded down, limited, or made "
      "for "
      "larger blocks?\n");
}

static void says_nothing_where_the_numbers_differ(void **state) {
  (void)state;
  assert_string_equal(
      line_of((wb_matrix){1, 1025, 1025}, 1023, (wb_shape_of_launch){{1, 1, 1}, {256, 1, 1}, 0}), "");
  assert_string_equal(line_of((wb_matrix){1, 1025, 1025}, 1, (wb_shape_of_launch){{1, 1, 1}, {1, 1, 1}, 0}),
                      "");
}

static void says_that_no_copy_went_to_the_host(void **state) {
  static const wb_task on_host = {.name = "task", .arrays = {{"h_x", WB_OUT, WB_HOST, WB_F32, NULL}}};
  const wb_pattern all = {.shape = {1, 9, 9}, .wrong = 9, .never_written = 9},
                   some = {.shape = {1, 9, 9}, .wrong = 8, .never_written = 8};
  const wb_launched no_copy = {.known = 1, .launches = 1},
                    a_copy = {.known = 1, .launches = 1, .copies_back = 1};
  wb_text text = {0};
  (void)state;
  assert_true(wb_no_copy_back(&on_host, &(wb_verdict){.count = 9, .pattern = all}, &no_copy, &text));
  assert_non_null(strstr(wb_text_get(&text), "no copy went to the host"));
  assert_false(wb_no_copy_back(&on_host, &(wb_verdict){.count = 9, .pattern = some}, &no_copy, &text));
  assert_false(wb_no_copy_back(&on_host, &(wb_verdict){.count = 9, .pattern = all}, &a_copy, &text));
  assert_false(wb_no_copy_back(&task, &(wb_verdict){.count = 9, .pattern = all}, &no_copy, &text));
  wb_text_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares_threads_with_elements_rows_and_columns),
      cmocka_unit_test(says_nothing_where_the_numbers_differ),
      cmocka_unit_test(says_that_no_copy_went_to_the_host),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
