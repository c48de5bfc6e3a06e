/* Functions of the C library that only read, and clocks: see library.c. */
#include "base/base.h"

#if CUCC_CHECKED
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "hooks/library.h"

int cucc_memcmp(const void *a, const void *b, size_t size);
int cucc_memcmp(const void *a, const void *b, size_t size) {
  is_read(a, size, CALLER);
  is_read(b, size, CALLER);
  return memcmp(a, b, size);
}

void *cucc_memchr(const void *from, int byte, size_t size);
void *cucc_memchr(const void *from, int byte, size_t size) {
  const char *found = memchr(from, byte, size);
  is_read(from, found ? (size_t)(found - (const char *)from) + 1 : size, CALLER);
  return (void *)found;
}

size_t cucc_strlen(const char *text);
size_t cucc_strlen(const char *text) {
  text_read(text, SIZE_MAX, CALLER);
  return strlen(text);
}

/* Two texts, as far as they are equal and one further, or `most` bytes. */
static int compare(const char *a, const char *b, size_t most, uintptr_t pc) {
  size_t n = 0;
  while (n < most && a[n] == b[n] && a[n]) n++;
  if (n < most) n++;
  is_read(a, n, pc);
  is_read(b, n, pc);
  return strncmp(a, b, n);
}

int cucc_strcmp(const char *a, const char *b);
int cucc_strcmp(const char *a, const char *b) { return compare(a, b, SIZE_MAX, CALLER); }

int cucc_strncmp(const char *a, const char *b, size_t size);
int cucc_strncmp(const char *a, const char *b, size_t size) { return compare(a, b, size, CALLER); }

char *cucc_strchr(const char *text, int letter);
char *cucc_strchr(const char *text, int letter) {
  char *found = strchr(text, letter);
  text_read(text, found ? (size_t)(found - text) + 1 : SIZE_MAX, CALLER);
  return found;
}

char *cucc_strrchr(const char *text, int letter);
char *cucc_strrchr(const char *text, int letter) {
  text_read(text, SIZE_MAX, CALLER);
  return strrchr(text, letter);
}

char *cucc_strstr(const char *text, const char *part);
char *cucc_strstr(const char *text, const char *part) {
  text_read(text, SIZE_MAX, CALLER);
  text_read(part, SIZE_MAX, CALLER);
  return strstr(text, part);
}

#define FROM_TEXT(type, name, call)                                                                          \
  type cucc_##name(const char *text);                                                                        \
  type cucc_##name(const char *text) {                                                                       \
    char *stop;                                                                                              \
    const type result = (type)call;                                                                          \
    is_read(text, (size_t)(stop - text) + 1, CALLER);                                                        \
    return result;                                                                                           \
  }
FROM_TEXT(int, atoi, strtol(text, &stop, 10))
FROM_TEXT(long, atol, strtol(text, &stop, 10))
FROM_TEXT(double, atof, strtod(text, &stop))

int cucc_puts(const char *text);
int cucc_puts(const char *text) {
  text_read(text, SIZE_MAX, CALLER);
  return puts(text);
}

int cucc_fputs(const char *text, FILE *file);
int cucc_fputs(const char *text, FILE *file) {
  text_read(text, SIZE_MAX, CALLER);
  return fputs(text, file);
}

size_t cucc_fwrite(const void *from, size_t size, size_t count, FILE *file);
size_t cucc_fwrite(const void *from, size_t size, size_t count, FILE *file) {
  is_read(from, size * count, CALLER);
  return fwrite(from, size, count, file);
}

time_t cucc_time(time_t *to);
time_t cucc_time(time_t *to) {
  written(to, sizeof *to, CALLER);
  return time(to);
}

int cucc_clock_gettime(clockid_t clock, struct timespec *to);
int cucc_clock_gettime(clockid_t clock, struct timespec *to) {
  written(to, sizeof *to, CALLER);
  return clock_gettime(clock, to);
}

int cucc_clock_getres(clockid_t clock, struct timespec *to);
int cucc_clock_getres(clockid_t clock, struct timespec *to) {
  written(to, sizeof *to, CALLER);
  return clock_getres(clock, to);
}

int cucc_timespec_get(struct timespec *to, int base);
int cucc_timespec_get(struct timespec *to, int base) {
  written(to, sizeof *to, CALLER);
  return timespec_get(to, base);
}

int cucc_gettimeofday(struct timeval *to, void *zone);
int cucc_gettimeofday(struct timeval *to, void *zone) {
  written(to, sizeof *to, CALLER);
  written(zone, sizeof(struct timezone), CALLER);
  return gettimeofday(to, zone);
}

int cucc_posix_memalign(void **to, size_t alignment, size_t size);
int cucc_posix_memalign(void **to, size_t alignment, size_t size) {
  written(to, sizeof *to, CALLER);
  return posix_memalign(to, alignment, size);
}

void cucc_sincos(double x, double *sine, double *cosine);
void cucc_sincos(double x, double *sine, double *cosine) {
  written(sine, sizeof *sine, CALLER);
  written(cosine, sizeof *cosine, CALLER);
  sincos(x, sine, cosine);
}

void cucc_sincosf(float x, float *sine, float *cosine);
void cucc_sincosf(float x, float *sine, float *cosine) {
  written(sine, sizeof *sine, CALLER);
  written(cosine, sizeof *cosine, CALLER);
  sincosf(x, sine, cosine);
}

#endif
