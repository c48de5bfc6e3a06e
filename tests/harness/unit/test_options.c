/* The command-line options: common/harness/model/options.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/options.h"

static const wb_size one[] = {{{0}}, {{1021}}};
static const wb_size two[] = {{{0, 256}}, {{257, 64}}};
static const wb_task tasks[] = {
    {.name = "scale", .number = 1, .dims = "n", .sizes = one, .size_count = 2, .timed = {{1 << 20}}},
    {.name = "add", .number = 2, .dims = "n threads", .sizes = two, .size_count = 2},
    {.name = "wide", .number = 0, .dims = "n", .sizes = one, .size_count = 2},
};
static const wb_lesson lesson = {.name = "lesson99", .title = "tests", .tasks = tasks, .task_count = 3};

static wb_options options;
static char error[512];

#define PARSE(...) parse((const char *const[]){"program", __VA_ARGS__, NULL})

static bool parse(const char *const *argv) {
  int argc = 0;
  while (argv[argc]) argc++;
  error[0] = '\0';
  return wb_options_parse(argc, (char **)(uintptr_t)argv, &lesson, &options, error, sizeof error);
}

static void no_options_mean_all_tasks(void **state) {
  (void)state;
  assert_true(parse((const char *const[]){"program", NULL}));
  assert_null(options.task);
  assert_int_equal(options.size_count, 0);
  assert_false(options.has_seed || options.once || options.json);
}

static void a_number_means_all_tasks_of_that_number(void **state) {
  (void)state;
  const wb_task twin = {.name = "twin", .number = 1, .dims = "n", .sizes = one, .size_count = 2};
  assert_true(PARSE("--task", "1"));
  assert_true(wb_options_include(&options, &tasks[0]) && wb_options_include(&options, &twin));
  assert_false(wb_options_include(&options, &tasks[1]));
  assert_true(PARSE("--task", "scale"));
  assert_false(wb_options_include(&options, &twin));
  assert_true(PARSE("--task", "1", "--size", "7"));
  assert_false(wb_options_include(&options, &twin));
  assert_true(parse((const char *const[]){"program", NULL}));
  assert_true(wb_options_include(&options, &tasks[1]));
}

static void a_seed_in_a_file_is_read_once(void **state) {
  (void)state;
  char name[] = "/tmp/seed.XXXXXX";
  const int file = mkstemp(name);
  assert_int_equal(write(file, "ab12\n", 5), 5);
  close(file);
  assert_true(PARSE("--seed-file", name));
  assert_true(options.has_seed && options.seed == 0xab12);
  assert_false(PARSE("--seed-file", name));
  assert_non_null(strstr(error, "expected a file with a seed"));
}

static void a_task_has_a_name_and_a_number(void **state) {
  (void)state;
  assert_true(PARSE("--task", "add"));
  assert_ptr_equal(options.task, &tasks[1]);
  assert_true(PARSE("--task=1"));
  assert_ptr_equal(options.task, &tasks[0]);
  assert_true(PARSE("--task", "further"));
  assert_ptr_equal(options.task, &tasks[2]);
  assert_true(PARSE("--task", "0"));
  assert_ptr_equal(options.task, &tasks[2]);
}

static void an_unknown_task_lists_the_tasks(void **state) {
  (void)state;
  assert_false(PARSE("--task", "7"));
  assert_non_null(strstr(error, "scale (1), add (2), wide (0)"));
  assert_false(PARSE("--task", ""));
}

static void sizes_are_numbers_joined_by_x(void **state) {
  (void)state;
  assert_true(PARSE("--size", "1000003"));
  assert_int_equal(options.size.n[0], 1000003);
  assert_true(PARSE("--task", "add", "--size", "128x64"));
  assert_int_equal(options.size_count, 2);
  assert_int_equal(options.size.n[1], 64);
}

static void wrong_sizes_are_rejected(void **state) {
  (void)state;
  const char *const bad[] = {"",    "x", "12x", "-1", "1e6", "3.5", " 7", "1x2x3x4", "99999999999999999999",
                             "12,3"};
  for (size_t i = 0; i < WB_COUNT(bad); i++) {
    assert_false(PARSE("--size", bad[i]));
    assert_non_null(strstr(error, "--size"));
  }
}

static void more_sizes_than_a_task_has_are_rejected(void **state) {
  (void)state;
  assert_false(PARSE("--size", "3x4"));
  assert_non_null(strstr(error, "--task"));
  assert_false(PARSE("--task", "scale", "--size", "3x4"));
}

static void sizes_not_given_come_from_the_task(void **state) {
  (void)state;
  assert_true(PARSE("--size", "5000"));
  const wb_size add = wb_options_size(&options, &tasks[1]), scale = wb_options_size(&options, &tasks[0]);
  assert_int_equal(add.n[0], 5000);
  assert_int_equal(add.n[1], 64); /* of its largest declared size */
  assert_int_equal(scale.n[0], 5000);
}

static void seeds_are_hexadecimal(void **state) {
  (void)state;
  assert_true(PARSE("--seed", "0xDEADbeef"));
  assert_true(options.seed == 0xDEADBEEFu && options.has_seed);
  assert_true(PARSE("--seed", "ffffffffffffffff"));
  assert_true(options.seed == UINT64_MAX);
  assert_false(PARSE("--seed", "10000000000000000"));
  assert_false(PARSE("--seed", "xyz"));
  assert_false(PARSE("--seed", "-1"));
}

static void reps_have_limits(void **state) {
  (void)state;
  assert_true(PARSE("--reps", "1000"));
  assert_int_equal(options.reps, 1000);
  assert_false(PARSE("--reps", "0"));
  assert_false(PARSE("--reps", "1001"));
  assert_false(PARSE("--reps", "many"));
}

static void options_without_their_value_are_rejected(void **state) {
  (void)state;
  assert_false(PARSE("--task"));
  assert_non_null(strstr(error, "NAME|NUMBER"));
  assert_false(PARSE("--output", ""));
  assert_false(PARSE("--json=yes"));
}

static void unknown_options_are_named(void **state) {
  (void)state;
  assert_false(PARSE("--fast"));
  assert_non_null(strstr(error, "--fast"));
  assert_non_null(strstr(error, "--help"));
  assert_false(PARSE("stray"));
}

static void only_a_lesson_with_ranks_can_be_a_rank(void **state) {
  (void)state;
  assert_false(PARSE("--as-rank"));
  assert_non_null(strstr(error, "lesson99 has no ranks"));
}

static void two_formats_at_once_are_rejected(void **state) {
  (void)state;
  assert_false(PARSE("--json", "--csv"));
  assert_true(PARSE("--json", "--output", "run.json"));
  assert_string_equal(options.output, "run.json");
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_options_mean_all_tasks),
      cmocka_unit_test(a_number_means_all_tasks_of_that_number),
      cmocka_unit_test(a_seed_in_a_file_is_read_once),
      cmocka_unit_test(a_task_has_a_name_and_a_number),
      cmocka_unit_test(an_unknown_task_lists_the_tasks),
      cmocka_unit_test(sizes_are_numbers_joined_by_x),
      cmocka_unit_test(wrong_sizes_are_rejected),
      cmocka_unit_test(more_sizes_than_a_task_has_are_rejected),
      cmocka_unit_test(sizes_not_given_come_from_the_task),
      cmocka_unit_test(seeds_are_hexadecimal),
      cmocka_unit_test(reps_have_limits),
      cmocka_unit_test(options_without_their_value_are_rejected),
      cmocka_unit_test(unknown_options_are_named),
      cmocka_unit_test(only_a_lesson_with_ranks_can_be_a_rank),
      cmocka_unit_test(two_formats_at_once_are_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
