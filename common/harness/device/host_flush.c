/* device/host_flush.c: see device/host_flush.h. */
#include "device/host_flush.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

/* The size of the last cache, by Linux's description of this core; otherwise sysconf's number, which on
 * some virtual machines is ten times too large (320 MiB for 32 MiB, measured). At most 256 MiB. */
size_t wb_host_cache_bytes(void) {
  size_t most = 0;
  for (int index = 0; index < 6; index++) {
    char path[80], unit = 0;
    unsigned long size = 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
    FILE *in = fopen(path, "r");
    if (in && fscanf(in, "%lu%c", &size, &unit) == 2)
      size = unit == 'M' ? size << 20 : unit == 'K' ? size << 10 : size;
    if (in) fclose(in);
    if (size > most) most = size;
  }
  const long reported = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (most == 0) most = reported > 0 ? (size_t)reported : 32u << 20;
  return most < (256u << 20) ? most : 256u << 20;
}

#if defined(__x86_64__) || defined(__aarch64__)

#define LINE 64 /* of x86-64; at most the line of aarch64 */

/* These instructions write a line back and drop it from the caches of all cores, including those on which
 * the parent made the inputs. */
#if defined(__x86_64__)

/* Tested at run time: this file may be built on another machine. CPUID leaf 7, EBX (Intel's manual). */
static bool has_clflushopt(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && b & bit_CLFLUSHOPT;
}

/* Does not wait for each line: 128 MiB in 10 to 40 ms; clflush took 450 to 990 (Xeon, 2026-11-22). */
__attribute__((target("clflushopt"))) static void flush_many(const char *start, size_t bytes) {
  for (size_t i = 0; i < bytes; i += LINE) _mm_clflushopt((void *)(uintptr_t)(start + i));
}

void wb_host_flush(const void *array, size_t bytes) {
  const char *start = array;
  if (has_clflushopt())
    flush_many(start, bytes);
  else
    for (size_t i = 0; i < bytes; i += LINE) _mm_clflush(start + i);
  _mm_mfence();
}

#else

void wb_host_flush(const void *array, size_t bytes) {
  const char *start = array;
  for (size_t i = 0; i < bytes; i += LINE) __asm__ volatile("dc civac, %0" : : "r"(start + i) : "memory");
  __asm__ volatile("dsb ish" : : : "memory");
}

#endif

#else

/* On other processors: overwrites twice the last cache, so that little of the arrays is left in it. */
void wb_host_flush(const void *array, size_t bytes) {
  static char *buffer, value;
  static size_t size;
  (void)array, (void)bytes;
  if (!buffer) buffer = malloc(size = 2 * wb_host_cache_bytes());
  if (buffer) memset(buffer, ++value, size);
  __asm__ volatile("" : : "r"(buffer) : "memory"); /* the compiler must not remove it */
}

#endif
