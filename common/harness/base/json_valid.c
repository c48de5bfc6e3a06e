/* base/json_valid.c: see base/json_valid.h. The text comes from the process that runs the learner's code. */
#include "base/json_valid.h"
#include "base/text.h"
#include <ctype.h>
#include <string.h>

#define LEVELS 32

static const char *blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* Each of these reads one item at p and returns the position after it, or NULL if there is no such item. */
static const char *value(const char *p, int level);

static const char *string(const char *p) {
  if (*p++ != '"') return NULL;
  while (*p != '"') {
    if ((unsigned char)*p < 0x20) return NULL; /* also the end of the text */
    if (*p == '\\') {
      p++;
      if (*p == 'u') {
        for (int i = 1; i <= 4; i++)
          if (!isxdigit((unsigned char)p[i])) return NULL;
        p += 5;
      } else if (*p && strchr("\"\\/bfnrt", *p)) {
        p++;
      } else {
        return NULL;
      }
    } else {
      const size_t length = wb_utf8_length(p, strnlen(p, 4));
      if (length == 0) return NULL;
      p += length;
    }
  }
  return p + 1;
}

static const char *digits(const char *p) {
  const size_t count = strspn(p, "0123456789");
  return count ? p + count : NULL;
}

static const char *number(const char *p) {
  if (*p == '-') p++;
  const char *start = p;
  if (!(p = digits(p))) return NULL;
  if (*start == '0' && p > start + 1) return NULL;
  if (*p == '.' && !(p = digits(p + 1))) return NULL;
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    p = digits(p);
  }
  return p;
}

static const char *members(const char *p, int level, bool object) {
  const char close = object ? '}' : ']';
  p = blanks(p + 1);
  if (*p == close) return p + 1;
  for (;;) {
    if (object) {
      if (!(p = string(blanks(p)))) return NULL;
      p = blanks(p);
      if (*p++ != ':') return NULL;
    }
    if (!(p = value(blanks(p), level + 1))) return NULL;
    p = blanks(p);
    if (*p == close) return p + 1;
    if (*p++ != ',') return NULL;
  }
}

static const char *value(const char *p, int level) {
  if (level > LEVELS) return NULL;
  if (*p == '{' || *p == '[') return members(p, level, *p == '{');
  if (*p == '"') return string(p);
  if (strncmp(p, "true", 4) == 0 || strncmp(p, "null", 4) == 0) return p + 4;
  if (strncmp(p, "false", 5) == 0) return p + 5;
  return number(p);
}

bool wb_json_valid(const char *text) {
  const char *end = value(blanks(text), 0);
  return end && *blanks(end) == '\0';
}
