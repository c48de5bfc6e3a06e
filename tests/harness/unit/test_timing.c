/* Which baselines are timed in each round: common/harness/run/timing.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <time.h>

#include "run/task.h"

enum { ROUNDS = 6, NEAR = 0, FAR = 1 };

static size_t count_n(const wb_case *c) { return c->size.n[0]; }

static wb_expected expect_zero(const wb_case *c, int array, size_t i) {
  (void)c, (void)array, (void)i;
  return (wb_expected){.value = 0, .tolerance = 0};
}

static int call(const wb_case *c) {
  for (size_t i = 0; i < c->size.n[0]; i++) wb_f32(c, 0)[i] = 0;
  return 0;
}

static int call_after_a_while(const wb_case *c) {
  const struct timespec while_ = {.tv_nsec = 250 * 1000 * 1000};
  nanosleep(&while_, NULL);
  return call(c);
}

static void a_baseline_that_is_far_slower_is_left_out_of_later_rounds(void **state) {
  (void)state;
  static const wb_size sizes[] = {{{1000}}};
  static const wb_baseline baselines[] = {
      [NEAR] = {.name = "near", .what = "the same", .call = call},
      [FAR] = {.name = "far", .what = "late", .call = call_after_a_while}};
  static const wb_task task = {.name = "zeros",
                               .dims = "n",
                               .arrays = {{"zeros", WB_OUT, WB_DEVICE, WB_F32, count_n}},
                               .sizes = sizes,
                               .size_count = 1,
                               .timed = {{1000}},
                               .call = call,
                               .expect = expect_zero,
                               .baselines = baselines,
                               .baseline_count = WB_COUNT(baselines)};
  static const wb_lesson lesson = {.name = "lesson99", .tasks = &task, .task_count = 1};
  static const wb_options options = {.reps = ROUNDS};
  static wb_secret secret = {.seed = 1, .key = 1};
  const wb_results run = {.lesson = &lesson, .options = &options, .secret = &secret};
  static wb_task_result result = {.task = &task};
  wb_task_run(&run, &result);
  assert_int_equal(result.state, WB_RIGHT);
  assert_int_equal(result.timing.cold.count, ROUNDS);
  assert_int_equal(result.baselines[NEAR].time.count, ROUNDS);
  assert_in_range(result.baselines[FAR].time.count, 3, ROUNDS - 1);
  assert_true(result.baselines[FAR].ratio.low > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_baseline_that_is_far_slower_is_left_out_of_later_rounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
