/* base/json.c: the writer; see base/json.h. */
#include "base/json.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void quoted(wb_text *out, const char *value) {
  const size_t size = strlen(value);
  wb_text_add_bytes(out, "\"", 1);
  for (size_t i = 0; i < size;) {
    const unsigned char c = (unsigned char)value[i];
    const size_t length = wb_utf8_length(value + i, size - i);
    if (length == 0) {
      wb_text_add_bytes(out, "\xEF\xBF\xBD", 3);
    } else if (c == '"' || c == '\\') {
      wb_text_add(out, "\\%c", c);
    } else if (c == '\n') {
      wb_text_add_bytes(out, "\\n", 2);
    } else if (c == '\t') {
      wb_text_add_bytes(out, "\\t", 2);
    } else if (c < 0x20 || c == 0x7F) {
      wb_text_add(out, "\\u%04x", c);
    } else {
      wb_text_add_bytes(out, value + i, length);
    }
    i += length ? length : 1;
  }
  wb_text_add_bytes(out, "\"", 1);
}

/* Objects down to this depth have a line for each member. Deeper ones stay on one line, which is easier to
 * read. */
#define BROKEN_DEPTH 3

static void member(wb_json *json, const char *key) {
  if (json->depth > 0) {
    const int level = json->depth - 1;
    if (json->used[level]) wb_text_add_bytes(json->out, ",", 1);
    json->used[level] = true;
    if (json->depth <= BROKEN_DEPTH)
      wb_text_add(json->out, "\n%*s", 2 * json->depth, "");
    else
      wb_text_add_bytes(json->out, " ", json->out->data[json->out->size - 1] == ',');
  }
  if (key) {
    quoted(json->out, key);
    wb_text_add_bytes(json->out, ": ", 2);
  }
}

static void open_level(wb_json *json, const char *key, bool array) {
  member(json, key);
  if (json->depth == WB_JSON_DEPTH) abort(); /* a bug in this program, not in its input */
  json->array[json->depth] = array;
  json->used[json->depth] = false;
  json->depth++;
  wb_text_add_bytes(json->out, array ? "[" : "{", 1);
}

void wb_json_object(wb_json *json, const char *key) { open_level(json, key, false); }
void wb_json_array(wb_json *json, const char *key) { open_level(json, key, true); }

void wb_json_end(wb_json *json) {
  const int level = --json->depth;
  if (json->used[level] && level < BROKEN_DEPTH) wb_text_add(json->out, "\n%*s", 2 * level, "");
  wb_text_add_bytes(json->out, json->array[level] ? "]" : "}", 1);
  if (level == 0) wb_text_add_bytes(json->out, "\n", 1);
}

void wb_json_string(wb_json *json, const char *key, const char *value) {
  if (!value) {
    wb_json_null(json, key);
    return;
  }
  member(json, key);
  quoted(json->out, value);
}

void wb_json_number(wb_json *json, const char *key, double value) {
  if (!isfinite(value)) {
    wb_json_null(json, key);
    return;
  }
  member(json, key);
  char text[40];
  if (fabs(value) < 1e15 && value == floor(value)) {
    wb_text_add(json->out, "%.0f", value);
    return;
  }
  for (int digits = 6; digits <= 17; digits++) { /* the shortest text that reads back as the same double */
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (strtod(text, NULL) == value) break;
  }
  wb_text_add(json->out, "%s", text);
}

void wb_json_measured(wb_json *json, const char *key, double value, int digits) {
  if (!isfinite(value)) {
    wb_json_null(json, key);
    return;
  }
  char text[40];
  snprintf(text, sizeof text, "%.*g", digits, value);
  wb_json_number(json, key, strtod(text, NULL));
}

void wb_json_integer(wb_json *json, const char *key, int64_t value) {
  member(json, key);
  wb_text_add(json->out, "%lld", (long long)value);
}

void wb_json_bool(wb_json *json, const char *key, bool value) {
  member(json, key);
  wb_text_add(json->out, "%s", value ? "true" : "false");
}

void wb_json_null(wb_json *json, const char *key) {
  member(json, key);
  wb_text_add_bytes(json->out, "null", 4);
}

void wb_json_raw(wb_json *json, const char *key, const char *text) {
  member(json, key);
  wb_text_add(json->out, "%s", text);
}
