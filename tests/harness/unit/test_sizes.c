/* The sizes at which a task is tested: common/harness/model/sizes.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/sizes.h"

static const wb_size line[] = {WB_SIZES_1D(256)};
static const wb_size plane[] = {{{0, 5}}, {{1, 1}}, {{33, 65}}, {{100, 7}}, {{7, 300}}};
static const wb_size even[] = {{{0, 1}}, {{2, 2}}, {{6, 9}}, {{32, 1}}, {{100, 4}}};
static const wb_size chunks[] = {{{0, 64}}, {{7, 1}}, {{30000, 256}}, {{1000, 64}}};
static const wb_size fixed[] = {{{64}}};
static const wb_task one = {
    .name = "one", .dims = "n", .sizes = line, .size_count = WB_COUNT(line), .large = {{3000000}}};
static const wb_task two = {.name = "two", .dims = "m n", .sizes = plane, .size_count = WB_COUNT(plane)};
static const wb_task paired = {
    .name = "paired", .dims = "count kind", .sizes = even, .size_count = WB_COUNT(even), .step = {{2}}};
static const wb_task chunked = {.name = "chunked",
                                .dims = "n chunk",
                                .sizes = chunks,
                                .size_count = WB_COUNT(chunks),
                                .least = {{1, 64}}};
static const wb_task same = {.name = "same", .dims = "n", .sizes = fixed, .size_count = 1};

static void declared_sizes_come_first_and_in_order(void **state) {
  (void)state;
  wb_size_list sizes = wb_sizes(&one, 1, false);
  assert_int_equal(sizes.count, WB_COUNT(line) + 1);
  for (size_t i = 0; i < WB_COUNT(line); i++) assert_int_equal(sizes.list[i].n[0], line[i].n[0]);
  wb_sizes_free(&sizes);
}

static void sizes_around_a_block_contain_the_critical_ones(void **state) {
  (void)state;
  const size_t wanted[] = {0, 1, 255, 256, 257, 1021, 4095, 1000003};
  assert_int_equal(WB_COUNT(line), WB_COUNT(wanted));
  for (size_t i = 0; i < WB_COUNT(wanted); i++) assert_int_equal(line[i].n[0], wanted[i]);
}

static void the_random_size_is_new_and_within_the_declared_ones(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    wb_size_list sizes = wb_sizes(&two, seed, false);
    assert_int_equal(sizes.count, WB_COUNT(plane) + 1);
    const wb_size *s = &sizes.list[sizes.count - 1];
    assert_in_range(s->n[0], 1, 100);
    assert_in_range(s->n[1], 1, 300);
    assert_in_range(s->n[0] * s->n[1], 1, 33 * 65);
    assert_int_equal(s->n[2], 0);
    for (size_t i = 0; i < WB_COUNT(plane); i++)
      assert_false(s->n[0] == plane[i].n[0] && s->n[1] == plane[i].n[1]);
    wb_sizes_free(&sizes);
  }
}

static void the_random_size_keeps_to_the_least(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    wb_size_list sizes = wb_sizes(&chunked, seed, false);
    assert_int_equal(sizes.count, WB_COUNT(chunks) + 1);
    assert_in_range(sizes.list[WB_COUNT(chunks)].n[0], 7, 30000);
    assert_in_range(sizes.list[WB_COUNT(chunks)].n[1], 64, 256);
    wb_sizes_free(&sizes);
  }
}

static void the_random_size_is_a_multiple_of_what_the_header_wants(void **state) {
  (void)state;
  for (uint64_t seed = 0; seed < 300; seed++) {
    wb_size_list sizes = wb_sizes(&paired, seed, false);
    const wb_size *s = &sizes.list[sizes.count - 1];
    assert_int_equal(sizes.count, WB_COUNT(even) + 1);
    assert_int_equal(s->n[0] % 2, 0);
    assert_in_range(s->n[0], 2, 100);
    wb_sizes_free(&sizes);
  }
}

static void the_same_seed_gives_the_same_size(void **state) {
  (void)state;
  int different = 0;
  for (uint64_t seed = 0; seed < 20; seed++) {
    wb_size_list a = wb_sizes(&one, seed, false), b = wb_sizes(&one, seed, false),
                 c = wb_sizes(&one, seed + 1, false);
    assert_int_equal(a.list[a.count - 1].n[0], b.list[b.count - 1].n[0]);
    different += a.list[a.count - 1].n[0] != c.list[c.count - 1].n[0];
    wb_sizes_free(&a);
    wb_sizes_free(&b);
    wb_sizes_free(&c);
  }
  assert_in_range(different, 15, 20);
}

static void a_task_with_one_fixed_size_gets_no_random_size(void **state) {
  (void)state;
  wb_size_list sizes = wb_sizes(&same, 7, true);
  assert_int_equal(sizes.count, 1);
  assert_false(sizes.has_large);
  wb_sizes_free(&sizes);
}

static void the_large_size_is_last_and_only_on_request(void **state) {
  (void)state;
  wb_size_list with = wb_sizes(&one, 1, true), without = wb_sizes(&one, 1, false);
  assert_true(with.has_large);
  assert_int_equal(with.list[with.count - 1].n[0], 3000000);
  assert_int_equal(with.count, without.count + 1);
  assert_false(without.has_large);
  wb_sizes_free(&with);
  wb_sizes_free(&without);
}

/* n x m numbers, and the number of threads that go through them. */
static size_t count_cells(const wb_case *c) { return c->size.n[0] * c->size.n[1]; }

static void the_random_size_has_no_far_longer_arrays(void **state) {
  static const wb_size shapes[] = {{{20000, 2, 2}}, {{2, 20000, 2}}, {{300, 300, 1000}}};
  static const wb_task shared = {.name = "shared",
                                 .dims = "n m threads",
                                 .arrays = {{"x", WB_IN, WB_HOST, WB_F32, count_cells}},
                                 .sizes = shapes,
                                 .size_count = WB_COUNT(shapes)};
  (void)state;
  for (uint64_t seed = 1; seed < 200; seed++) {
    wb_size_list sizes = wb_sizes(&shared, seed, false);
    for (size_t i = WB_COUNT(shapes); i < sizes.count; i++)
      assert_true(sizes.list[i].n[0] * sizes.list[i].n[1] <= 4 * 300 * 300);
    wb_sizes_free(&sizes);
  }
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(declared_sizes_come_first_and_in_order),
      cmocka_unit_test(sizes_around_a_block_contain_the_critical_ones),
      cmocka_unit_test(the_random_size_is_new_and_within_the_declared_ones),
      cmocka_unit_test(the_random_size_keeps_to_the_least),
      cmocka_unit_test(the_random_size_has_no_far_longer_arrays),
      cmocka_unit_test(the_random_size_is_a_multiple_of_what_the_header_wants),
      cmocka_unit_test(the_same_seed_gives_the_same_size),
      cmocka_unit_test(a_task_with_one_fixed_size_gets_no_random_size),
      cmocka_unit_test(the_large_size_is_last_and_only_on_request),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
