/*
 * base/json.h: writing JSON.
 *
 *     wb_json json = {.out = &text};
 *     wb_json_object(&json, NULL);
 *     wb_json_string(&json, "name", "copy");
 *     wb_json_number(&json, "gb_per_s", 4237.1);
 *     wb_json_end(&json);
 *
 * Every function takes the key first; NULL inside an array and at the top.
 */
#ifndef WB_JSON_H
#define WB_JSON_H

#include "base/text.h"
#include <stdint.h>

#define WB_JSON_DEPTH 16

typedef struct wb_json {
  wb_text *out;
  int depth;
  bool array[WB_JSON_DEPTH], used[WB_JSON_DEPTH]; /* for each open level */
} wb_json;

void wb_json_object(wb_json *json, const char *key);
void wb_json_array(wb_json *json, const char *key);
/* Closes the innermost object or array. */
void wb_json_end(wb_json *json);

/* A string; NULL writes null. Invalid UTF-8 becomes U+FFFD, control characters are escaped. */
void wb_json_string(wb_json *json, const char *key, const char *value);
/* A number with enough digits to read back as the same double. NaN and the infinities become null. */
void wb_json_number(wb_json *json, const char *key, double value);
/* A number of at most `digits` significant digits: for measured figures. */
void wb_json_measured(wb_json *json, const char *key, double value, int digits);
void wb_json_integer(wb_json *json, const char *key, int64_t value);
void wb_json_bool(wb_json *json, const char *key, bool value);
void wb_json_null(wb_json *json, const char *key);

/* JSON text that is known to be valid (base/json_valid.h). */
void wb_json_raw(wb_json *json, const char *key, const char *text);

#endif
