/*
 * The functions of the C library that read or write through a pointer, as checked code calls them:
 * cuda_runtime.h sends their names here. The library is not instrumented, so what they access is judged here,
 * as an access of the line that called them. What only reads is in library_text.c.
 */
#include "base/base.h"

#if CUCC_CHECKED
#include <math.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks/library.h"

/* A function whose last parameter is a pointer to a second result. */
#define SECOND_RESULT(type, name, first, second)                                                             \
  type cucc_##name(first x, second *other);                                                                  \
  type cucc_##name(first x, second *other) {                                                                 \
    written(other, sizeof *other, CALLER);                                                                   \
    return name(x, other);                                                                                   \
  }
/* A number in a text, read as far as the letter after it. A wrong base leaves `stop` as it is. */
#define NUMBER(type, name)                                                                                   \
  type cucc_##name(const char *text, char **end);                                                            \
  type cucc_##name(const char *text, char **end) {                                                           \
    char *stop = (char *)text;                                                                               \
    written(end, sizeof *end, CALLER);                                                                       \
    const type result = name(text, &stop);                                                                   \
    is_read(text, (size_t)(stop - text) + 1, CALLER);                                                        \
    if (end) *end = stop;                                                                                    \
    return result;                                                                                           \
  }
#define INTEGER(type, name)                                                                                  \
  type cucc_##name(const char *text, char **end, int base);                                                  \
  type cucc_##name(const char *text, char **end, int base) {                                                 \
    char *stop = (char *)text;                                                                               \
    written(end, sizeof *end, CALLER);                                                                       \
    const type result = name(text, &stop, base);                                                             \
    is_read(text, (size_t)(stop - text) + 1, CALLER);                                                        \
    if (end) *end = stop;                                                                                    \
    return result;                                                                                           \
  }
SECOND_RESULT(double, modf, double, double)
SECOND_RESULT(float, modff, float, float)
SECOND_RESULT(double, frexp, double, int)
SECOND_RESULT(float, frexpf, float, int)
NUMBER(double, strtod)
NUMBER(float, strtof)
INTEGER(long, strtol)
INTEGER(unsigned long, strtoul)
INTEGER(long long, strtoll)
INTEGER(unsigned long long, strtoull)

char *cucc_strcpy(char *to, const char *from);
char *cucc_strcpy(char *to, const char *from) {
  text_read(from, SIZE_MAX, CALLER);
  written(to, strlen(from) + 1, CALLER);
  return strcpy(to, from);
}

char *cucc_strncpy(char *to, const char *from, size_t size);
char *cucc_strncpy(char *to, const char *from, size_t size) {
  text_read(from, size, CALLER);
  written(to, size, CALLER);
  return strncpy(to, from, size);
}

char *cucc_strcat(char *to, const char *from);
char *cucc_strcat(char *to, const char *from) {
  text_read(to, SIZE_MAX, CALLER);
  text_read(from, SIZE_MAX, CALLER);
  written(to + strlen(to), strlen(from) + 1, CALLER);
  return strcat(to, from);
}

char *cucc_strncat(char *to, const char *from, size_t size);
char *cucc_strncat(char *to, const char *from, size_t size) {
  text_read(to, SIZE_MAX, CALLER);
  text_read(from, size, CALLER);
  written(to + strlen(to), strnlen(from, size) + 1, CALLER);
  return strncat(to, from, size);
}

#define MOST_ARGUMENTS 64 /* of a format; what further ones are for is not looked at */

/* Judges what %s reads and %n writes. A text whose length the format may limit is not judged. */
static void pointers_used(const char *format, va_list list, uintptr_t pc) {
  int types[MOST_ARGUMENTS];
  text_read(format, SIZE_MAX, pc);
  if (!strpbrk(format, "ns")) return;
  const size_t count = parse_printf_format(format, MOST_ARGUMENTS, types);
  for (size_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
    const bool is_long = types[i] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG);
    const int type = types[i] & ~PA_FLAG_MASK;
    if (types[i] & PA_FLAG_PTR)
      written(va_arg(list, void *), is_long ? sizeof(long) : sizeof(int), pc);
    else if (type == PA_STRING) {
      const char *text = va_arg(list, const char *);
      if (text && !strchr(format, '.')) text_read(text, SIZE_MAX, pc);
    } else if (type == PA_POINTER || type == PA_WSTRING)
      (void)va_arg(list, void *);
    else if (type == PA_DOUBLE && types[i] & PA_FLAG_LONG_DOUBLE)
      (void)va_arg(list, long double);
    else if (type == PA_DOUBLE || type == PA_FLOAT)
      (void)va_arg(list, double);
    else if (is_long)
      (void)va_arg(list, long);
    else
      (void)va_arg(list, int);
  }
}

static int print_to(FILE *file, const char *format, va_list list, uintptr_t pc) {
  va_list again;
  va_copy(again, list);
  pointers_used(format, again, pc);
  va_end(again);
  return vfprintf(file, format, list);
}

/* Only what is printed is written, however large the buffer is said to be. */
static int print(char *to, size_t size, const char *format, va_list list, uintptr_t pc) {
  va_list again;
  va_copy(again, list);
  pointers_used(format, again, pc);
  va_end(again);
  va_copy(again, list);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length >= 0) written(to, (size_t)length < size ? (size_t)length + 1 : size, pc);
  return vsnprintf(to, size, format, list);
}

int cucc_vsnprintf(char *to, size_t size, const char *format, va_list list);
int cucc_vsnprintf(char *to, size_t size, const char *format, va_list list) {
  return print(to, size, format, list, CALLER);
}

int cucc_snprintf(char *to, size_t size, const char *format, ...);
int cucc_snprintf(char *to, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = print(to, size, format, list, CALLER);
  va_end(list);
  return length;
}

int cucc_vfprintf(FILE *file, const char *format, va_list list);
int cucc_vfprintf(FILE *file, const char *format, va_list list) {
  return print_to(file, format, list, CALLER);
}

int cucc_vprintf(const char *format, va_list list);
int cucc_vprintf(const char *format, va_list list) { return print_to(stdout, format, list, CALLER); }

int cucc_fprintf(FILE *file, const char *format, ...);
int cucc_fprintf(FILE *file, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = print_to(file, format, list, CALLER);
  va_end(list);
  return length;
}

int cucc_printf(const char *format, ...);
int cucc_printf(const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = print_to(stdout, format, list, CALLER);
  va_end(list);
  return length;
}

void cucc_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));
void cucc_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
  written(base, count * size, CALLER);
  qsort(base, count, size, compare);
}

#endif
