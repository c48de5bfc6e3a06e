/* Text that grows, and JSON strings. */
#include "base/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"

static void reserve(struct text *t, size_t more) {
  if (t->length + more + 1 <= t->room) return;
  t->room = 2 * (t->length + more + 1);
  t->at = needed(realloc(t->at, t->room));
}

void text_add(struct text *t, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int n = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  reserve(t, (size_t)n);
  vsnprintf(t->at + t->length, (size_t)n + 1, format, again);
  va_end(again);
  t->length += (size_t)n;
}

void text_string(struct text *t, const char *s) {
  if (!s) {
    text_add(t, "null");
    return;
  }
  text_add(t, "\"");
  for (; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      text_add(t, "\\%c", c);
    else if (c == '\n')
      text_add(t, "\\n");
    else if (c < 0x20 || c == 0x7f)
      text_add(t, "\\u%04x", c);
    else
      text_add(t, "%c", c);
  }
  text_add(t, "\"");
}

size_t text_give(struct text *t, char *buffer, size_t size) {
  const size_t needed = t->length + 1;
  if (size) {
    const size_t n = t->length < size - 1 ? t->length : size - 1;
    if (n) memcpy(buffer, t->at, n);
    buffer[n] = 0;
  }
  free(t->at);
  *t = (struct text){0};
  return needed;
}
