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

/* A %s of a format: the number of its argument, and how many bytes it reads at most. -1: there is no limit; or it is
 * the value of argument number `most_from`. */
struct text_use {
  int argument, most, most_from;
};

/* "2$" in a format means the second argument. -1: no such number. */
static int position(const char **format) {
  const size_t digits = strspn(*format, "0123456789");
  if (digits == 0 || (*format)[digits] != '$') return -1;
  const int number = atoi(*format);
  *format += digits + 1;
  return number - 1;
}

/* A width or a precision: digits, or a star for an argument, whose number is returned; -1: it is no argument. */
static int length_of(const char **format, int *digits, int *next) {
  if (**format != '*') {
    *digits = atoi(*format);
    *format += strspn(*format, "0123456789");
    return -1;
  }
  (*format)++;
  const int number = position(format);
  return number < 0 ? (*next)++ : number;
}

/* Each %s of a format. Returns how many there are. */
static size_t find_texts(const char *format, struct text_use uses[MOST_ARGUMENTS]) {
  size_t count = 0;
  int next = 0, width;
  while ((format = strchr(format, '%')) && count < MOST_ARGUMENTS) {
    format++;
    struct text_use use = {position(&format), -1, -1};
    format += strspn(format, "-+ #0'I");
    length_of(&format, &width, &next);
    if (*format == '.') format++, use.most_from = length_of(&format, &use.most, &next);
    const size_t letters = strspn(format, "hlLqjzt");
    const bool wide = letters && *format == 'l';
    const char kind = *(format += letters);
    if (!kind) break;
    format++;
    if (kind == '%' || kind == 'm') continue;
    if (use.argument < 0) use.argument = next++;
    if (kind == 's' && !wide) uses[count++] = use;
  }
  return count;
}

/* The arguments of a format that can be a text or its length. */
struct arguments {
  const char *text[MOST_ARGUMENTS];
  int number[MOST_ARGUMENTS];
};

static void judge_texts(const char *format, const struct arguments *of, uintptr_t pc) {
  struct text_use uses[MOST_ARGUMENTS];
  const size_t count = find_texts(format, uses);
  for (size_t i = 0; i < count; i++) {
    const struct text_use *u = &uses[i];
    if (u->argument >= MOST_ARGUMENTS || u->most_from >= MOST_ARGUMENTS || !of->text[u->argument]) continue;
    const int most = u->most_from < 0 ? u->most : of->number[u->most_from];
    text_read(of->text[u->argument], most < 0 ? SIZE_MAX : (size_t)most, pc);
  }
}

/* Judges what %s reads and %n writes. */
static void pointers_used(const char *format, va_list list, uintptr_t pc) {
  int types[MOST_ARGUMENTS];
  struct arguments of = {0};
  text_read(format, SIZE_MAX, pc);
  if (!strpbrk(format, "ns")) return;
  const size_t count = parse_printf_format(format, MOST_ARGUMENTS, types);
  for (size_t i = 0; i < count && i < MOST_ARGUMENTS; i++) {
    const bool is_long = types[i] & (PA_FLAG_LONG | PA_FLAG_LONG_LONG);
    const int type = types[i] & ~PA_FLAG_MASK;
    if (types[i] & PA_FLAG_PTR)
      written(va_arg(list, void *), is_long ? sizeof(long) : sizeof(int), pc);
    else if (type == PA_STRING)
      of.text[i] = va_arg(list, const char *);
    else if (type == PA_POINTER || type == PA_WSTRING)
      (void)va_arg(list, void *);
    else if (type == PA_DOUBLE && types[i] & PA_FLAG_LONG_DOUBLE)
      (void)va_arg(list, long double);
    else if (type == PA_DOUBLE || type == PA_FLOAT)
      (void)va_arg(list, double);
    else if (is_long)
      (void)va_arg(list, long);
    else
      of.number[i] = va_arg(list, int);
  }
  judge_texts(format, &of, pc);
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
