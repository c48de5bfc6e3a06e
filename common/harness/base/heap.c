/* base/heap.c: see base/heap.h. */
#include "base/heap.h"
#include <malloc.h>
#include <stddef.h>

/* Not NULL in a program with the address or thread sanitizer, which replaces malloc. */
extern size_t __sanitizer_get_current_allocated_bytes(void) __attribute__((weak));

int64_t wb_heap_bytes(void) {
  if (__sanitizer_get_current_allocated_bytes) return (int64_t)__sanitizer_get_current_allocated_bytes();
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
  const struct mallinfo2 heap = mallinfo2();
  return (int64_t)(heap.uordblks + heap.hblkhd);
#else
  return 0;
#endif
}
