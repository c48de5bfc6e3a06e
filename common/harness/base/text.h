/*
 * base/text.h: a string that grows, and cleaning of text that came from the learner's code.
 */
#ifndef WB_TEXT_H
#define WB_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* A growing string. Initialise it with {0}. `data` is NULL while it is empty; otherwise it is
 * NUL-terminated and owned by the struct. */
typedef struct wb_text {
  char *data;
  size_t size; /* bytes without the final NUL */
  size_t capacity;
} wb_text;

/* Appends as printf does. Out of memory ends the program (status 3). */
void wb_text_add(wb_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends `size` bytes as they are. */
void wb_text_add_bytes(wb_text *text, const char *bytes, size_t size);

/* The string, "" when empty; valid until the next change. */
const char *wb_text_get(const wb_text *text);

/* Frees it; the text is empty afterwards. */
void wb_text_free(wb_text *text);

/*
 * Makes untrusted text harmless for terminals and for JSON: drops control characters other than newline
 * and tab (and with them the start of every terminal escape); bytes that aren't valid UTF-8 become U+FFFD.
 * Returns a new string; free it.
 */
char *wb_text_clean(const char *bytes, size_t size);

/* Ends a text buffer and cleans it in place, as wb_text_clean does. */
void wb_text_tidy(char *text, size_t size);

/* Length in bytes of the UTF-8 character at the start of `bytes`, 0 if it isn't valid. size >= 1. */
size_t wb_utf8_length(const char *bytes, size_t size);

/* `count` numbers as readable text: "1021", "128x64". The result is one of 8 static buffers, used in turn. */
const char *wb_text_size(const size_t *n, int count);

#endif
