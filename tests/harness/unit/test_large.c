/* Cases of gigabytes in megabytes: common/harness/model/large.c, here at 120 MB. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "model/large.h"
#include "run/task.h"

enum { A, B };

#define LARGE 30000001u /* elements: seven periods and some */

static size_t count_n(const wb_case *c) { return c->size.n[0]; }
static size_t count_one(const wb_case *c) { return (void)c, 1; }

static wb_expected expect_doubled(const wb_case *c, int array, size_t i) {
  return (wb_expected){.value = 2 * wb_f32(c, array == B ? A : array)[i], .tolerance = 0};
}

static wb_expected expect_negatives(const wb_case *c, int array, size_t i) {
  (void)array, (void)i;
  wb_part part[WB_MAX_PARTS];
  const int parts = wb_parts(c, A, part);
  double sum = 0;
  for (int p = 0; p < parts; p++)
    for (size_t k = part[p].first; k < part[p].last; k++) sum += wb_f32(c, A)[k] < 0 ? part[p].times : 0;
  return (wb_expected){.value = sum, .tolerance = 0};
}

/* ---- Functions of a learner: B = 2 A, for all elements but some ---- */

static int twice(const wb_case *c, size_t first, size_t last, size_t mask) {
  for (size_t i = first; i < last; i++) wb_f32(c, B)[i] = 2 * wb_f32(c, A)[i & mask];
  return 0;
}

static int right(const wb_case *c) { return twice(c, 0, LARGE, SIZE_MAX); }
static int stops_early(const wb_case *c) { return twice(c, 0, 1 << 24, SIZE_MAX); }
static int begins_late(const wb_case *c) { return twice(c, 1000, LARGE, SIZE_MAX); }
static int leaves_the_last(const wb_case *c) { return twice(c, 0, LARGE - 1, SIZE_MAX); }
static int loses_upper_bits(const wb_case *c) { return twice(c, 0, LARGE, (1 << 24) - 1); }

static int leaves_a_tenth(const wb_case *c) {
  twice(c, 0, LARGE / 2, SIZE_MAX);
  return twice(c, LARGE / 2 + LARGE / 10, LARGE, SIZE_MAX);
}

static int in_place(const wb_case *c) {
  for (size_t i = 0; i < LARGE; i++) wb_f32(c, A)[i] *= 2;
  return 0;
}

static int in_place_twice_at_the_end(const wb_case *c) {
  in_place(c);
  wb_f32(c, A)[LARGE - 1] *= 2;
  return 0;
}

static int count_negatives(const wb_case *c) {
  uint32_t count = 0;
  for (size_t i = 0; i < LARGE; i++) count += wb_f32(c, A)[i] < 0;
  wb_u32(c, B)[0] = count;
  return 0;
}

static wb_task two(wb_memory memory, int (*call)(const wb_case *c)) {
  return (wb_task){.arrays = {{"a", WB_IN, memory, WB_F32, count_n}, {"b", WB_OUT, memory, WB_F32, count_n}},
                   .call = call,
                   .expect = expect_doubled};
}

static wb_task one(wb_memory memory, int (*call)(const wb_case *c)) {
  return (wb_task){
      .arrays = {{"a", WB_INOUT, memory, WB_F32, count_n}}, .call = call, .expect = expect_doubled};
}

/* Runs the large case of a task. Returns its state. */
static wb_state state_of(wb_task task) {
  static wb_task kept;
  static wb_secret secret = {.seed = 1, .key = 1};
  static const wb_options options = {0};
  const wb_size large = {{LARGE}};
  kept = task;
  kept.name = "large", kept.dims = "n", kept.large = large, kept.sizes = &large, kept.size_count = 1;
  const wb_lesson lesson = {.name = "lesson99", .tasks = &kept, .task_count = 1};
  const wb_results run = {.lesson = &lesson, .options = &options, .secret = &secret, .timing_reason = "no"};
  wb_task_result result = {.task = &kept, .sized = true, .size = large};
  wb_task_run(&run, &result);
  const wb_state state = result.state;
  wb_text_free(&result.message);
  free(result.cases);
  return state;
}

static void right_answers_pass_in_every_memory(void **state) {
  (void)state;
  assert_int_equal(state_of(two(WB_DEVICE, right)), WB_RIGHT);
  assert_int_equal(state_of(two(WB_HOST, right)), WB_RIGHT);
  assert_int_equal(state_of(one(WB_DEVICE, in_place)), WB_RIGHT);
  assert_int_equal(state_of(one(WB_HOST, in_place)), WB_RIGHT);
}

static void stretches_that_are_left_out_are_found(void **state) {
  (void)state;
  int (*const wrong[])(const wb_case *) = {stops_early, begins_late, leaves_the_last, loses_upper_bits};
  for (size_t w = 0; w < WB_COUNT(wrong); w++) {
    assert_int_equal(state_of(two(WB_DEVICE, wrong[w])), WB_WRONG);
    assert_int_equal(state_of(two(WB_HOST, wrong[w])), WB_WRONG);
  }
  assert_int_equal(state_of(two(WB_DEVICE, leaves_a_tenth)), WB_WRONG);
  assert_int_equal(state_of(one(WB_DEVICE, in_place_twice_at_the_end)), WB_WRONG);
}

static void an_oracle_counts_all_elements_by_parts(void **state) {
  (void)state;
  wb_task task = two(WB_DEVICE, count_negatives);
  task.arrays[B].type = WB_U32;
  task.arrays[B].count = count_one;
  task.expect = expect_negatives;
  assert_int_equal(state_of(task), WB_RIGHT);
}

static void a_large_case_takes_little_memory(void **state) {
  (void)state;
  wb_task task = two(WB_HOST, right);
  task.huge = (wb_size){{((size_t)1 << 31) + 11}};
  wb_layout layout;
  assert_true(wb_arena_layout(&task, &task.huge, &layout));
  assert_true(layout.bytes[A] > (size_t)1 << 33);
  assert_true(layout.memory < (size_t)1 << 27);
  size_t start[WB_WINDOWS];
  task.arrays[B].memory = WB_DEVICE;
  assert_true(wb_arena_layout(&task, &task.huge, &layout));
  const int windows = wb_large_windows(&task, &layout, B, 1, start);
  bool around = false; /* the element of number 2^31 */
  for (int w = 0; w < windows; w++)
    around |= start[w] <= (size_t)1 << 31 && start[w] + WB_WINDOW > (size_t)1 << 31;
  assert_true(around);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(right_answers_pass_in_every_memory),
      cmocka_unit_test(stretches_that_are_left_out_are_found),
      cmocka_unit_test(an_oracle_counts_all_elements_by_parts),
      cmocka_unit_test(a_large_case_takes_little_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
