/* Causes of NaN where numbers are right, and of numbers where NaN is: common/harness/model/cause.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "model/cause.h"

#define MOST 300

static double input[MOST], doubles[MOST];
static float floats[MOST];
static wb_case inputs;

static size_t count_all(const wb_case *c) { return c->size.n[0]; }

static double right(const wb_case *c, size_t i) { return c->param[0] * sqrt((double)i + 2); }
static wb_expected expect_each(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = right(c, i), .tolerance = 1e-5};
}
static wb_expected expect_nan(const wb_case *c, int array, size_t i) {
  (void)array;
  return (wb_expected){.value = i == 4 ? (double)NAN : right(c, i), .tolerance = 1e-5};
}

#define IN_OUT                                                                                               \
  {                                                                                                          \
    {"x", WB_IN, WB_HOST, WB_F64, count_all}, { "y", WB_OUT, WB_HOST, WB_F32, count_all }                    \
  }
static const wb_task line = {.name = "line", .dims = "n", .arrays = IN_OUT, .expect = expect_each};
static const wb_task with_nan = {.name = "with_nan", .dims = "n", .arrays = IN_OUT, .expect = expect_nan};
static const wb_task kept = {.name = "kept",
                             .dims = "n",
                             .arrays = {{"x", WB_INOUT, WB_HOST, WB_F64, count_all}},
                             .expect = expect_each};

/* Begins with the right answer in both types. */
static void begin(size_t n) {
  inputs = (wb_case){.size = {{n}}, .param = {1.36, 0.5, 0.75, 1.25}, .array = {input}};
  for (size_t i = 0; i < MOST; i++) {
    input[i] = (double)i + 0.25;
    doubles[i] = right(&inputs, i);
    floats[i] = (float)doubles[i];
  }
}

/* The cause that is named, or "". Valid until the next call. */
static const char *cause_of(const wb_task *task, void *y) {
  static wb_text text;
  wb_verdict verdict;
  void *got[WB_MAX_ARRAYS] = {input, y};
  wb_text_free(&text);
  assert_true(wb_check(task, &inputs, got, 0, 1, &verdict));
  wb_cause(task, &inputs, got, &verdict, &text);
  return wb_text_get(&text);
}
static void has(const char *text, const char *words) {
  if (!strstr(text, words)) fail_msg("\"%s\" does not contain \"%s\"", text, words);
}

static void a_lost_nan_is_named(void **state) {
  (void)state;
  begin(10);
  inputs.param[0] = NAN;
  for (size_t i = 0; i < 10; i++) floats[i] = 1;
  has(cause_of(&line, floats), "A NaN among the inputs got lost");
  inputs.param[0] = INFINITY;
  has(cause_of(&line, floats), "NaN and infinity became numbers");
  inputs.param[0] = NAN;
  for (size_t i = 0; i < 10; i++) input[i] = doubles[i] = 1;
  has(cause_of(&kept, doubles), "A NaN among the inputs got lost");
}

static void a_nan_of_unwritten_memory_is_named(void **state) {
  (void)state;
  begin(300);
  floats[7] = floats[100] = floats[117] = NAN;
  has(cause_of(&line, floats), "something that was never written went into them");
  input[3] = NAN; /* which may be the reason */
  assert_null(strstr(cause_of(&line, floats), "never written"));
}

static void a_nan_that_spreads_is_named(void **state) {
  (void)state;
  begin(10);
  floats[4] = NAN;
  assert_null(strstr(cause_of(&with_nan, floats), "do not depend on it"));
  floats[3] = NAN;
  has(cause_of(&with_nan, floats), "came into results that do not depend on it");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_lost_nan_is_named),
      cmocka_unit_test(a_nan_of_unwritten_memory_is_named),
      cmocka_unit_test(a_nan_that_spreads_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
