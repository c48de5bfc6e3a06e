/* model/sweep.c: see model/sweep.h. */
#include "model/sweep.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads a whole number at *text and moves *text past it. */
static bool number(const char **text, size_t *value) {
  char *end;
  errno = 0;
  *value = (size_t)strtoull(*text, &end, 10);
  if (!isdigit((unsigned char)**text) || errno) return false;
  *text = end;
  return true;
}

bool wb_sweep_parse(const char *text, wb_sweep *sweep) {
  const char *equals = strchr(text, '=');
  *sweep = (wb_sweep){0};
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof sweep->dim) return false;
  memcpy(sweep->dim, text, (size_t)(equals - text));
  const char *at = equals + 1;
  size_t value, last;
  if (!number(&at, &value)) return false;
  sweep->value[sweep->count++] = value;
  if (strncmp(at, "..", 2) == 0) {
    at += 2;
    if (!number(&at, &last) || *at || value == 0 || last < value) return false;
    while (value <= last / 2) {
      if (sweep->count == WB_SWEEP_MOST) return false;
      sweep->value[sweep->count++] = value *= 2;
    }
    return true;
  }
  while (*at == ',' && sweep->count < WB_SWEEP_MOST) {
    at++;
    if (!number(&at, &sweep->value[sweep->count++])) return false;
  }
  return *at == '\0';
}

int wb_sweep_place(const wb_sweep *sweep, const wb_task *task) {
  const size_t length = strlen(sweep->dim);
  int place = 0;
  for (const char *word = task->dims; *word && length; place++) {
    const size_t size = strcspn(word, " ");
    if (size == length && strncmp(word, sweep->dim, size) == 0) return place;
    word += size + strspn(word + size, " ");
  }
  return -1;
}
