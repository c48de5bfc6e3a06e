/* base/text.c: see base/text.h. */
#include "base/text.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reserve(wb_text *text, size_t more) {
  if (text->size + more + 1 <= text->capacity) return;
  size_t capacity = text->capacity ? text->capacity : 64;
  while (capacity < text->size + more + 1) capacity *= 2;
  char *data = realloc(text->data, capacity);
  if (!data) {
    fputs("out of memory\n", stderr);
    exit(3);
  }
  text->data = data;
  text->capacity = capacity;
}

void wb_text_add_bytes(wb_text *text, const char *bytes, size_t size) {
  reserve(text, size);
  if (size > 0) memcpy(text->data + text->size, bytes, size);
  text->size += size;
  text->data[text->size] = '\0';
}

void wb_text_add(wb_text *text, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int size = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (size > 0) {
    reserve(text, (size_t)size);
    vsnprintf(text->data + text->size, (size_t)size + 1, format, again);
    text->size += (size_t)size;
  }
  va_end(again);
}

const char *wb_text_get(const wb_text *text) { return text->data ? text->data : ""; }

void wb_text_free(wb_text *text) {
  free(text->data);
  *text = (wb_text){0};
}

size_t wb_utf8_length(const char *bytes, size_t size) {
  const unsigned char *b = (const unsigned char *)bytes;
  if (b[0] < 0x80) return 1;
  size_t length = 0;
  unsigned long code = 0, least = 0;
  if (b[0] >= 0xC2 && b[0] < 0xE0) {
    length = 2, code = b[0] & 0x1Fu, least = 0x80;
  } else if (b[0] >= 0xE0 && b[0] < 0xF0) {
    length = 3, code = b[0] & 0x0Fu, least = 0x800;
  } else if (b[0] >= 0xF0 && b[0] < 0xF5) {
    length = 4, code = b[0] & 0x07u, least = 0x10000;
  }
  if (length == 0 || length > size) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((b[i] & 0xC0u) != 0x80u) return 0;
    code = (code << 6) | (b[i] & 0x3Fu);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < least || code > 0x10FFFF || surrogate ? 0 : length;
}

char *wb_text_clean(const char *bytes, size_t size) {
  wb_text clean = {0};
  reserve(&clean, size);
  clean.data[0] = '\0';
  for (size_t i = 0; i < size;) {
    const unsigned char c = (unsigned char)bytes[i];
    const size_t length = wb_utf8_length(bytes + i, size - i);
    /* U+0080 to U+009F (C2 80 to C2 9F) are control characters too: some terminals take them as escapes. */
    const bool control = (c < 0x20 && c != '\n' && c != '\t') || c == 0x7F ||
                         (length == 2 && c == 0xC2 && (unsigned char)bytes[i + 1] < 0xA0);
    if (length == 0)
      wb_text_add_bytes(&clean, "\xEF\xBF\xBD", 3);
    else if (!control)
      wb_text_add_bytes(&clean, bytes + i, length);
    i += length ? length : 1;
  }
  return clean.data;
}

void wb_text_tidy(char *text, size_t size) {
  text[size - 1] = '\0';
  char *clean = wb_text_clean(text, strlen(text));
  snprintf(text, size, "%s", clean);
  free(clean);
}

const char *wb_text_size(const size_t *n, int count) {
  static char ring[8][24 * 4];
  static unsigned next;
  char *text = ring[next++ % 8];
  int used = 0;
  for (int d = 0; d < count; d++)
    used += snprintf(text + used, sizeof ring[0] - (size_t)used, "%s%zu", d ? "x" : "", n[d]);
  return text;
}
