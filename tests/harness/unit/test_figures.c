/* The ceiling with which a GPU's figure is compared, and the least time that is believed:
 * common/harness/run/figures.c and least.c, compiled here as for a GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#define wb_device_backend       gpu_backend
#define wb_answers_on_host      gpu_answers_on_host
#define wb_answers_only_on_host gpu_answers_only_on_host
#define wb_ratio_to             gpu_ratio_to
#define wb_timing_figures       gpu_timing_figures
#define wb_traffic_of           gpu_traffic_of
#define wb_needed_ceilings      gpu_needed_ceilings
#define wb_least_ms             gpu_least_ms
#define wb_judge_time           gpu_judge_time
#include "run/figures.c"
#include "run/least.c"

const char *gpu_backend(void) { return "cuda"; }

/* Sizes are in bytes; the arrays' elements are bytes, too. */
static size_t first(const wb_case *c) { return c->size.n[0]; }
static size_t second(const wb_case *c) { return c->size.n[1]; }
static double third(const wb_case *c) { return (double)c->size.n[2]; }

/* The figures of a task that took `ms` for the size. */
static wb_timing compared(const wb_task *task, wb_size size, double ms) {
  static const wb_results run = {.ceilings = {{.name = "h2d", .value = 50},
                                              {.name = "d2h", .value = 50},
                                              {.name = "link", .value = 80},
                                              {.name = "copy", .value = 1000},
                                              {.name = "read", .value = 2000}},
                                 .ceiling_count = 5};
  wb_task_result result = {.task = task};
  const wb_case c = {.size = size};
  wb_samples_add(&result.timing.cold, ms);
  gpu_timing_figures(&run, &result, &c);
  wb_samples_free(&result.timing.cold);
  return result.timing;
}

/* 1 GB to the device and back: 25 ms on a link of 80 GB/s in both directions together. */
static void every_copy_of_an_array_counts(void **state) {
  (void)state;
  static const wb_task trips = {.arrays = {{"h_x", WB_INOUT, WB_HOST, WB_U8, first}}, .bytes = third};
  const wb_timing one = compared(&trips, (wb_size){{1000000000, 0, 2000000000}}, 50);
  const wb_timing four = compared(&trips, (wb_size){{1000000000, 0, 8000000000}}, 200);
  assert_string_equal(one.ceiling, "link");
  assert_float_equal(one.percent_of_ceiling, 50, 1e-9);
  assert_float_equal(four.percent_of_ceiling, 50, 1e-9);
}

static void input_from_host_memory_is_compared_with_the_link(void **state) {
  (void)state;
  static const wb_task task = {.arrays = {{"h_table", WB_IN, WB_PINNED, WB_U8, first},
                                          {"d_key", WB_IN, WB_DEVICE, WB_U8, second},
                                          {"d_out", WB_OUT, WB_DEVICE, WB_U8, second}},
                               .bytes = third};
  const wb_timing gather = compared(&task, (wb_size){{1000000000, 1000000, 1000000}}, 0.1);
  assert_string_equal(gather.ceiling, "h2d");
  assert_float_equal(gather.percent_of_ceiling, 20, 1e-9);
  const wb_timing little = compared(&task, (wb_size){{1000, 1000000000, 2000000000}}, 4);
  assert_string_equal(little.ceiling, "copy");
  assert_float_equal(little.percent_of_ceiling, 50, 1e-9);
}

/* As lesson12's write_polynomial: its arrays are on the device, and a few numbers about its text on the host. */
static void one_answer_on_the_host_does_not_make_the_link_the_limit(void **state) {
  (void)state;
  static const wb_task task = {.arrays = {{"h_c", WB_IN, WB_HOST, WB_U8, second},
                                          {"d_x", WB_IN, WB_DEVICE, WB_U8, first},
                                          {"d_y", WB_OUT, WB_DEVICE, WB_U8, first},
                                          {"seen", WB_OUT, WB_HOST, WB_U8, second}},
                               .bytes = third};
  const wb_timing timing = compared(&task, (wb_size){{1000000000, 100, 2000000000}}, 4);
  assert_string_equal(timing.ceiling, "copy");
  assert_float_equal(timing.percent_of_ceiling, 50, 1e-9);
}

static void a_task_that_needs_fewer_bytes_than_its_formula_has_no_ceiling(void **state) {
  (void)state;
  static const wb_task task = {
      .arrays = {{"d_p", WB_INOUT, WB_DEVICE, WB_U8, first}}, .bytes = third, .no_ceiling = 1};
  const wb_timing timing = compared(&task, (wb_size){{1000000000, 0, 2000000000}}, 1);
  assert_float_equal(timing.gb_per_s, 2000, 1e-9);
  assert_float_equal(timing.percent_of_ceiling, 0, 1e-9);
  assert_string_equal(timing.ceiling, "");
}

static double least_of(const wb_task *task, wb_size size, bool shares_memory) {
  const wb_results run = {.device = {.l2_bytes = 50000000, .shares_memory = shares_memory},
                          .ceilings = {{.name = "h2d", .value = 50},
                                       {.name = "d2h", .value = 50},
                                       {.name = "link", .value = 80},
                                       {.name = "copy", .value = 1000},
                                       {.name = "read", .value = 2000},
                                       {.name = "fma", .value = 10000}},
                          .ceiling_count = 6};
  const wb_case c = {.size = size};
  return gpu_least_ms(&run, task, &c);
}

/* 1.05 GB, of which 50 MB may be in the cache, at 2000 GB/s: 0.5 ms; a quarter faster is believed. */
static void every_byte_is_moved_once_but_for_those_in_the_cache(void **state) {
  (void)state;
  static const wb_task device = {
      .arrays = {{"d_x", WB_IN, WB_DEVICE, WB_U8, first}, {"d_y", WB_OUT, WB_DEVICE, WB_U8, second}},
      .bytes = third};
  assert_float_equal(least_of(&device, (wb_size){{525000000, 525000000, 1050000000}}, false), 0.4, 1e-9);
  /* the formula counts many passes over the arrays, which one pass can replace; or few of their elements */
  assert_float_equal(least_of(&device, (wb_size){{525000000, 525000000, 9050000000}}, false), 0.4, 1e-9);
  assert_float_equal(least_of(&device, (wb_size){{525000000, 525000000, 300000000}}, false), 0.1, 1e-9);
  assert_float_equal(least_of(&device, (wb_size){{20000000, 20000000, 40000000}}, false), 0, 1e-9);
}

static void the_link_is_crossed_once_unless_memory_is_shared(void **state) {
  (void)state;
  static const wb_task trips = {.arrays = {{"h_x", WB_INOUT, WB_HOST, WB_U8, first}}, .bytes = third};
  assert_float_equal(least_of(&trips, (wb_size){{1000000000, 0, 8000000000}}, false), 20, 1e-9);
  assert_float_equal(least_of(&trips, (wb_size){{1000000000, 0, 8000000000}}, true), 0, 1e-9);
}

static void operations_may_be_saved_by_a_better_method(void **state) {
  (void)state;
  static const wb_task task = {.arrays = {{"d_x", WB_IN, WB_DEVICE, WB_U8, first}}, .flops = third};
  assert_float_equal(least_of(&task, (wb_size){{1000, 0, 50000000000}}, false), 2, 1e-9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_copy_of_an_array_counts),
      cmocka_unit_test(input_from_host_memory_is_compared_with_the_link),
      cmocka_unit_test(one_answer_on_the_host_does_not_make_the_link_the_limit),
      cmocka_unit_test(a_task_that_needs_fewer_bytes_than_its_formula_has_no_ceiling),
      cmocka_unit_test(every_byte_is_moved_once_but_for_those_in_the_cache),
      cmocka_unit_test(the_link_is_crossed_once_unless_memory_is_shared),
      cmocka_unit_test(operations_may_be_saved_by_a_better_method),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
