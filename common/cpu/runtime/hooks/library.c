/*
 * The functions of the C library that write through a pointer, as checked code calls them: cuda_runtime.h sends
 * their names here. The library is not instrumented, so what they write is judged here, as an access of the
 * line that called them.
 */
#include "base/base.h"

#if CUCC_CHECKED
#include <math.h>
#include <printf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "checker/thread_state.h"
#include "hooks/judge.h"

static void written(const void *to, size_t size, uintptr_t pc) {
  if (to && size && (uintptr_t)to - thread_state.stack >= thread_state.stack_size)
    judge((uintptr_t)to, size, WRITE | UNALIGNED | RANGE, pc);
}

/* A function whose last parameters are a pointer to a second result, and perhaps a base. */
#define SECOND_RESULT(type, name, first, second)                                                             \
  type cucc_##name(first x, second *other);                                                                  \
  type cucc_##name(first x, second *other) {                                                                 \
    written(other, sizeof *other, CALLER);                                                                   \
    return name(x, other);                                                                                   \
  }
#define SECOND_RESULT_BASE(type, name)                                                                       \
  type cucc_##name(const char *text, char **end, int base);                                                  \
  type cucc_##name(const char *text, char **end, int base) {                                                 \
    written(end, sizeof *end, CALLER);                                                                       \
    return name(text, end, base);                                                                            \
  }
SECOND_RESULT(double, modf, double, double)
SECOND_RESULT(float, modff, float, float)
SECOND_RESULT(double, frexp, double, int)
SECOND_RESULT(float, frexpf, float, int)
SECOND_RESULT(double, strtod, const char *, char *)
SECOND_RESULT(float, strtof, const char *, char *)
SECOND_RESULT_BASE(long, strtol)
SECOND_RESULT_BASE(unsigned long, strtoul)
SECOND_RESULT_BASE(long long, strtoll)
SECOND_RESULT_BASE(unsigned long long, strtoull)

char *cucc_strcpy(char *to, const char *from);
char *cucc_strcpy(char *to, const char *from) {
  written(to, strlen(from) + 1, CALLER);
  return strcpy(to, from);
}

char *cucc_strncpy(char *to, const char *from, size_t size);
char *cucc_strncpy(char *to, const char *from, size_t size) {
  written(to, size, CALLER);
  return strncpy(to, from, size);
}

char *cucc_strcat(char *to, const char *from);
char *cucc_strcat(char *to, const char *from) {
  written(to + strlen(to), strlen(from) + 1, CALLER);
  return strcat(to, from);
}

char *cucc_strncat(char *to, const char *from, size_t size);
char *cucc_strncat(char *to, const char *from, size_t size) {
  written(to + strlen(to), strnlen(from, size) + 1, CALLER);
  return strncat(to, from, size);
}

#define MOST_ARGUMENTS 64 /* of a format; what further ones are for is not looked at */

/* What %n writes: the argument for it is a pointer, which comes after arguments of other types. */
static void counts_written(const char *format, va_list list, uintptr_t pc) {
  int types[MOST_ARGUMENTS];
  if (!strchr(format, 'n')) return;
  const size_t count = parse_printf_format(format, MOST_ARGUMENTS, types);
  for (size_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
    const bool is_long = types[i] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG);
    const int type = types[i] & ~PA_FLAG_MASK;
    if (types[i] & PA_FLAG_PTR)
      written(va_arg(list, void *), is_long ? sizeof(long) : sizeof(int), pc);
    else if (type == PA_POINTER || type == PA_STRING || type == PA_WSTRING)
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
  counts_written(format, again, pc);
  va_end(again);
  return vfprintf(file, format, list);
}

/* Only what is printed is written, however large the buffer is said to be. */
static int print(char *to, size_t size, const char *format, va_list list, uintptr_t pc) {
  va_list again;
  va_copy(again, list);
  counts_written(format, again, pc);
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
