/* JSON strings, and giving a text to a caller. */
#include "base/json.h"

#include <string.h>

void json_string(wb_text *t, const char *s) {
  if (!s) {
    wb_text_add(t, "null");
    return;
  }
  wb_text_add(t, "\"");
  for (; *s; s++) {
    const unsigned char c = (unsigned char)*s;
    if (c == '"' || c == '\\')
      wb_text_add(t, "\\%c", c);
    else if (c == '\n')
      wb_text_add(t, "\\n");
    else if (c < 0x20 || c == 0x7f)
      wb_text_add(t, "\\u%04x", c);
    else
      wb_text_add(t, "%c", c);
  }
  wb_text_add(t, "\"");
}

size_t json_give(wb_text *t, char *buffer, size_t size) {
  const size_t needed = t->size + 1;
  if (size) {
    const size_t n = t->size < size - 1 ? t->size : size - 1;
    if (n) memcpy(buffer, t->data, n);
    buffer[n] = 0;
  }
  wb_text_free(t);
  return needed;
}
