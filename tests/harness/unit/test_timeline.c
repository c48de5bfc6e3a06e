/* Overlap figures and drawings: common/harness/model/timeline.c, report/timeline_text.c,
 * report/timeline_svg.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "report/timeline_svg.h"
#include "report/timeline_text.h"

typedef struct item {
  wb_kind kind;
  int stream;
  double start_us, end_us;
} item;

static wb_timeline of(const item *items, size_t count) {
  wb_timeline timeline = {
      .source = WB_MODELLED, .list = calloc(count + 1, sizeof(wb_activity)), .count = count};
  for (size_t i = 0; i < count; i++)
    timeline.list[i] = (wb_activity){.kind = items[i].kind,
                                     .stream = items[i].stream,
                                     .start_us = items[i].start_us,
                                     .end_us = items[i].end_us,
                                     .name = "k<int>"};
  wb_timeline_figures(&timeline);
  return timeline;
}

#define TIMELINE(...) of((const item[]){__VA_ARGS__}, sizeof((const item[]){__VA_ARGS__}) / sizeof(item))

static void consecutive_activities_do_not_overlap(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_H2D, 0, 100, 140}, {WB_KERNEL, 0, 140, 150}, {WB_D2H, 0, 150, 190});
  assert_float_equal(t.span_us, 90, 1e-9);
  assert_float_equal(t.copy_us, 80, 1e-9);
  assert_float_equal(t.kernel_us, 10, 1e-9);
  assert_float_equal(t.overlap_us, 0, 1e-9);
  assert_float_equal(t.two_way_us, 0, 1e-9);
  assert_float_equal(t.list[0].start_us, 0, 0); /* time begins with the first activity */
  wb_timeline_free(&t);
}

static void overlaps_are_counted_once(void **state) {
  (void)state;
  /* Two kernels and two copies at once from 10 to 20: ten microseconds of overlap, not forty. */
  wb_timeline t =
      TIMELINE({WB_H2D, 1, 0, 20}, {WB_KERNEL, 2, 10, 30}, {WB_KERNEL, 3, 10, 30}, {WB_D2H, 4, 10, 20});
  assert_float_equal(t.copy_us, 20, 1e-9);
  assert_float_equal(t.kernel_us, 20, 1e-9);
  assert_float_equal(t.overlap_us, 10, 1e-9);
  assert_float_equal(t.two_way_us, 10, 1e-9);
  assert_float_equal(t.span_us, 30, 1e-9);
  wb_timeline_free(&t);
}

static void copies_within_the_device_do_not_use_the_link(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_D2D, 1, 0, 20}, {WB_MEMSET, 2, 0, 20}, {WB_KERNEL, 3, 0, 20});
  assert_float_equal(t.copy_us, 0, 1e-9);
  assert_float_equal(t.overlap_us, 0, 1e-9);
  wb_timeline_free(&t);
}

static void activities_are_sorted_and_never_end_before_they_start(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_KERNEL, 0, 50, 60}, {WB_H2D, 0, 10, 5});
  assert_int_equal(t.list[0].kind, WB_H2D);
  assert_float_equal(t.list[0].end_us, 0, 1e-9);
  assert_float_equal(t.span_us, 50, 1e-9);
  wb_timeline_free(&t);
}

static void an_empty_timeline_has_no_figures(void **state) {
  (void)state;
  wb_timeline t = of(NULL, 0);
  wb_text text = {0};
  assert_float_equal(t.span_us, 0, 0);
  wb_timeline_text(&t, "device", 0, &text);
  assert_non_null(strstr(text.data, "nothing ran"));
  wb_text_free(&text);
  wb_timeline_free(&t);
}

static void text_has_a_row_for_each_stream(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_H2D, 1, 0, 36}, {WB_KERNEL, 2, 36, 72}, {WB_D2H, 2, 71.9, 72});
  wb_text text = {0};
  wb_timeline_text(&t, "a GPU", 2, &text);
  assert_non_null(strstr(text.data, "modelled (not measured) on a GPU"));
  assert_non_null(strstr(
      text.data, "  stream 1  |HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHH                                    |"));
  assert_non_null(strstr(
      text.data, "  stream 2  |                                    KKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKKD|"));
  assert_null(strstr(text.data, "stream 0"));
  wb_text_free(&text);
  wb_timeline_free(&t);
}

static void text_lines_have_the_same_width(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_H2D, 0, 0, 1e-3}, {WB_KERNEL, 1, 5e5, 1e6}, {WB_D2H, 2, 1e6, 1e6});
  wb_text text = {0};
  wb_timeline_text(&t, "a GPU", 0, &text);
  for (const char *line = strstr(text.data, "stream "); line; line = strstr(line + 1, "\nstream ")) {
    const char *start = strchr(line, '|');
    assert_int_equal(strchr(start + 1, '|') - start, 73);
  }
  assert_non_null(strstr(text.data, " ms"));
  wb_text_free(&text);
  wb_timeline_free(&t);
}

static void text_explains_the_letters_of_its_rows(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_D2D, 0, 0, 10}, {WB_MEMSET, 0, 10, 20});
  wb_text text = {0};
  wb_timeline_text(&t, "a GPU", 0, &text);
  assert_non_null(strstr(text.data, "D to the host, = within the device, m memset\n"));
  assert_null(strstr(text.data, "copies between devices"));
  wb_text_free(&text);
  wb_timeline_free(&t);
}

static void text_says_how_much_of_the_copies_between_devices_is_hidden(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_D2D, 1, 1, 10}, {WB_KERNEL, 2, 0, 2}, {WB_KERNEL, 2, 4, 20});
  for (size_t i = 0; i < t.count; i++) /* from device 0 to device 1, which runs the kernels */
    t.list[i].device = t.list[i].kind == WB_KERNEL, t.list[i].to_device = t.list[i].kind == WB_D2D ? 1 : -1;
  wb_timeline_figures(&t);
  wb_text text = {0};
  wb_timeline_text(&t, "a GPU", 0, &text);
  assert_non_null(strstr(text.data, "D to the host, = between devices\n"));
  assert_non_null(strstr(text.data, "copies between devices 9 us, of which kernels hide 7 us"));
  wb_text_free(&text);
  wb_timeline_free(&t);
}

static void svg_is_complete_and_escaped(void **state) {
  (void)state;
  wb_timeline t = TIMELINE({WB_H2D, 1, 0, 30}, {WB_KERNEL, 2, 10, 40});
  const wb_panel panel = {"a & b", &t};
  wb_text svg = {0};
  wb_timeline_svg(&panel, 1, "lesson <05>", "a \"GPU\"", &svg);
  assert_memory_equal(svg.data, "<svg ", 5);
  assert_non_null(strstr(svg.data, "</svg>"));
  assert_non_null(strstr(svg.data, "a &amp; b"));
  assert_non_null(strstr(svg.data, "lesson &lt;05&gt;"));
  assert_non_null(strstr(svg.data, "a &quot;GPU&quot;"));
  assert_non_null(strstr(svg.data, "k&lt;int&gt;"));
  assert_non_null(strstr(svg.data, "modelled, not measured"));
  assert_non_null(strstr(svg.data, "prefers-color-scheme: dark"));
  assert_null(strstr(svg.data, "http://www.w3.org/1999"));
  assert_null(strstr(svg.data, "href"));
  wb_text_free(&svg);
  t.source = WB_MEASURED;
  wb_timeline_svg(&panel, 1, "lesson", "GPU", &svg);
  assert_non_null(strstr(svg.data, "measured on GPU"));
  wb_text_free(&svg);
  wb_timeline_free(&t);
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(consecutive_activities_do_not_overlap),
      cmocka_unit_test(overlaps_are_counted_once),
      cmocka_unit_test(copies_within_the_device_do_not_use_the_link),
      cmocka_unit_test(activities_are_sorted_and_never_end_before_they_start),
      cmocka_unit_test(an_empty_timeline_has_no_figures),
      cmocka_unit_test(text_has_a_row_for_each_stream),
      cmocka_unit_test(text_lines_have_the_same_width),
      cmocka_unit_test(text_explains_the_letters_of_its_rows),
      cmocka_unit_test(text_says_how_much_of_the_copies_between_devices_is_hidden),
      cmocka_unit_test(svg_is_complete_and_escaped),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
