/* Writing and checking JSON: common/harness/base/json.c, base/json_valid.c, base/text.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/json_valid.h"

/* The JSON text of a string. */
static void assert_written(const char *value, const char *json_text) {
  wb_text text = {0};
  wb_json json = {.out = &text};
  wb_json_array(&json, NULL);
  wb_json_string(&json, NULL, value);
  wb_json_end(&json);
  assert_true(wb_json_valid(text.data));
  const char *start = strchr(text.data, '"');
  assert_non_null(start);
  assert_memory_equal(start, json_text, strlen(json_text));
  wb_text_free(&text);
}

static void strings_are_escaped(void **state) {
  (void)state;
  assert_written("a \"b\" \\ c", "\"a \\\"b\\\" \\\\ c\"");
  assert_written("two\nlines\tand a tab", "\"two\\nlines\\tand a tab\"");
  assert_written("\x01\x1b[31m\x7f", "\"\\u0001\\u001b[31m\\u007f\"");
  assert_written("\xC2\xB5s \xE2\x9C\x93 \xF0\x9F\x98\x80", "\"\xC2\xB5s \xE2\x9C\x93 \xF0\x9F\x98\x80\"");
}

static void invalid_utf8_is_replaced(void **state) {
  (void)state;
  assert_written("a\xFF"
                 "b",
                 "\"a\xEF\xBF\xBD"
                 "b\"");
  assert_written("\xC3", "\"\xEF\xBF\xBD\"");                                 /* cut short */
  assert_written("\xC0\xAF", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");                 /* overlong */
  assert_written("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\""); /* surrogate */
}

static void cleaning_removes_terminal_escapes(void **state) {
  (void)state;
  const char dirty[] = "a\x1b[2Jb\r\n\tc\0d\x7f\xC2\x9B"
                       "e\xFF";
  char *clean = wb_text_clean(dirty, sizeof dirty - 1);
  assert_string_equal(clean, "a[2Jb\n\tcde\xEF\xBF\xBD");
  free(clean);
}

static void numbers_read_back_unchanged(void **state) {
  (void)state;
  const double values[] = {0, 0.1, 1.0 / 3, 1e300, -2.5e-310, 16777217, 4503599627370497.5};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    wb_text text = {0};
    wb_json json = {.out = &text};
    wb_json_array(&json, NULL);
    wb_json_number(&json, NULL, values[i]);
    wb_json_end(&json);
    assert_true(strtod(text.data + 1, NULL) == values[i]);
    wb_text_free(&text);
  }
}

static void nan_and_infinity_are_null(void **state) {
  (void)state;
  wb_text text = {0};
  wb_json json = {.out = &text};
  wb_json_object(&json, NULL);
  wb_json_number(&json, "a", NAN);
  wb_json_number(&json, "b", -INFINITY);
  wb_json_measured(&json, "c", INFINITY, 3);
  wb_json_measured(&json, "d", 1234.5678, 3);
  wb_json_end(&json);
  assert_string_equal(text.data, "{\n  \"a\": null,\n  \"b\": null,\n  \"c\": null,\n  \"d\": 1230\n}\n");
  wb_text_free(&text);
}

static void nested_values_are_valid(void **state) {
  (void)state;
  wb_text text = {0};
  wb_json json = {.out = &text};
  wb_json_object(&json, NULL);
  wb_json_array(&json, "empty");
  wb_json_end(&json);
  wb_json_array(&json, "list");
  for (int i = 0; i < 3; i++) {
    wb_json_object(&json, NULL);
    wb_json_integer(&json, "i", i);
    wb_json_bool(&json, "b", i == 1);
    wb_json_array(&json, "deep");
    wb_json_null(&json, NULL);
    wb_json_raw(&json, NULL, "{\"x\":[1]}");
    wb_json_end(&json);
    wb_json_end(&json);
  }
  wb_json_end(&json);
  wb_json_end(&json);
  assert_true(wb_json_valid(text.data));
  wb_text_free(&text);
}

static void valid_json_is_accepted(void **state) {
  (void)state;
  const char *const good[] = {"{}",
                              "[]",
                              " [1, -2.5e+3, 0.0, true, false, null] ",
                              "{\"a\": {\"b\": [\"\\u00e9\\n\"]}}",
                              "\"x\"",
                              "-0.5E2",
                              "[[[[]]]]",
                              "\"\xC3\xA9\""};
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) assert_true(wb_json_valid(good[i]));
}

static void broken_json_is_rejected(void **state) {
  (void)state;
  const char *const bad[] = {"",      "{",         "[1,]",   "{\"a\"}",  "{\"a\":1,}",  "[1] [2]",
                             "01",    "1.",        "\"\n\"", "\"\\x\"",  "\"\\u12g4\"", "\"open",
                             "nul",   "{a:1}",     "[1",     "\"\xFF\"", "+1",          "'a'",
                             "[1 2]", "{\"a\" 1}", "-",      "\"\\",     "[\"a\":1]"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    if (wb_json_valid(bad[i])) fail_msg("accepted: %s", bad[i]);
  }
}

static void deep_nesting_is_rejected(void **state) {
  (void)state;
  static char deep[200001];
  memset(deep, '[', sizeof deep - 1);
  assert_false(wb_json_valid(deep));
}

int main(void) {
  cmocka_set_message_output(CM_OUTPUT_TAP);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings_are_escaped),
      cmocka_unit_test(invalid_utf8_is_replaced),
      cmocka_unit_test(cleaning_removes_terminal_escapes),
      cmocka_unit_test(numbers_read_back_unchanged),
      cmocka_unit_test(nan_and_infinity_are_null),
      cmocka_unit_test(nested_values_are_valid),
      cmocka_unit_test(valid_json_is_accepted),
      cmocka_unit_test(broken_json_is_rejected),
      cmocka_unit_test(deep_nesting_is_rejected),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
