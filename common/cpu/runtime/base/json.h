#ifndef CUCC_BASE_JSON_H
#define CUCC_BASE_JSON_H

#include "base/base.h"

struct text {
  char *at;
  size_t length, room;
};
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* As a JSON string with quotes; null when s is NULL. */
void text_string(struct text *t, const char *s);
/* Copies to the caller's buffer, frees, and returns the size needed. */
size_t text_give(struct text *t, char *buffer, size_t size);

#endif
