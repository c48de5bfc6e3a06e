/* The host's own loop next to a timed task: common/harness/run/host_baseline.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "run/task.h"

enum { A, DOUBLED };

static size_t count_n(const wb_case *c) { return c->size.n[0]; }
static double bytes_n(const wb_case *c) { return 8.0 * (double)c->size.n[0]; }

static wb_expected expect_doubled(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = 2 * wb_f32(c, A)[i], .tolerance = 0};
}

static int call(const wb_case *c) {
  for (size_t i = 0; i < c->size.n[0]; i++) wb_f32(c, DOUBLED)[i] = 2 * wb_f32(c, A)[i];
  return 0;
}

static void right_cpu(const wb_case *c) {
#pragma omp parallel for
  for (size_t i = 0; i < c->size.n[0]; i++) wb_f32(c, DOUBLED)[i] = 2 * wb_f32(c, A)[i];
}

static void wrong_cpu(const wb_case *c) {
  for (size_t i = 0; i < c->size.n[0]; i++) wb_f32(c, DOUBLED)[i] = 3 * wb_f32(c, A)[i];
}

static const wb_size sizes[] = {{{1000}}};

/* A task of 2^20 elements, timed once, with this loop for the host at this size. */
static wb_task_result run_task(void (*cpu)(const wb_case *c), size_t cpu_size) {
  static wb_task task;
  static wb_secret secret = {.seed = 1, .key = 1};
  static const wb_options options = {.reps = 3};
  task = (wb_task){
      .name = "twice",
      .dims = "n",
      .arrays = {{"a", WB_IN, WB_DEVICE, WB_F32, count_n}, {"doubled", WB_OUT, WB_DEVICE, WB_F32, count_n}},
      .sizes = sizes,
      .size_count = 1,
      .timed = {{1 << 20}},
      .call = call,
      .expect = expect_doubled,
      .bytes = bytes_n,
      .cpu = cpu,
      .cpu_size = {{cpu_size}}};
  static const wb_lesson lesson = {.name = "lesson99", .tasks = &task, .task_count = 1};
  const wb_results run = {.lesson = &lesson, .options = &options, .secret = &secret};
  static wb_task_result result; /* the copy that is returned points into it */
  result = (wb_task_result){.task = &task};
  wb_task_run(&run, &result);
  return result;
}

static void the_loop_is_timed_on_one_core_and_on_all(void **state) {
  (void)state;
  const wb_task_result result = run_task(right_cpu, 0);
  assert_int_equal(result.state, WB_RIGHT);
  assert_string_equal(result.no_cores, "");
  assert_int_equal(result.baseline_count, 2);
  assert_string_equal(result.baselines[0].baseline->name, "one-core");
  assert_string_equal(result.baselines[1].baseline->name, "all-cores");
  assert_null(strstr(result.cores_what[0], "compared by work"));
  assert_true(result.baselines[0].ratio.value > 0);
}

/* A 16th of the work in about a 16th of the time: the ratio stays near 1. Caches and other load change it. */
static void a_smaller_size_is_reported_and_compared_by_work(void **state) {
  (void)state;
  const wb_task_result result = run_task(right_cpu, 1 << 16);
  assert_non_null(strstr(result.cores_what[0], "at 65536 and compared by work"));
  const wb_baseline_result *one = &result.baselines[0];
  const double plain = wb_median(&one->time) / wb_median(&result.timing.cold);
  assert_true(one->ratio.value > 4 * plain && one->ratio.value < 64 * plain);
}

static void a_larger_size_than_the_timed_one_is_not_used(void **state) {
  (void)state;
  assert_null(strstr(run_task(right_cpu, 1 << 22).cores_what[0], "compared by work"));
}

static void a_wrong_loop_is_reported_and_does_not_change_the_verdict(void **state) {
  (void)state;
  const wb_task_result result = run_task(wrong_cpu, 0);
  assert_int_equal(result.state, WB_RIGHT);
  assert_int_equal(result.baseline_count, 0);
  assert_non_null(strstr(result.no_cores, "twice, n = 1048576: "));
}

static void the_loop_can_be_switched_off(void **state) {
  (void)state;
  setenv("WB_BASELINE", "0", 1);
  assert_int_equal(run_task(right_cpu, 0).baseline_count, 0);
  unsetenv("WB_BASELINE");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_loop_is_timed_on_one_core_and_on_all),
      cmocka_unit_test(a_smaller_size_is_reported_and_compared_by_work),
      cmocka_unit_test(a_larger_size_than_the_timed_one_is_not_used),
      cmocka_unit_test(a_wrong_loop_is_reported_and_does_not_change_the_verdict),
      cmocka_unit_test(the_loop_can_be_switched_off),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
