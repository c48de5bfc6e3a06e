/* What the functions of the C library read and write, for library.c and library_text.c. */
#ifndef CUCC_HOOKS_LIBRARY_H
#define CUCC_HOOKS_LIBRARY_H

#include "base/base.h"

#include <string.h>

#include "checker/thread_state.h"
#include "hooks/judge.h"

static inline void used(const void *at, size_t size, unsigned access, uintptr_t pc) {
  if (at && size && (uintptr_t)at - thread_state.stack >= thread_state.stack_size)
    judge((uintptr_t)at, size, access | UNALIGNED | RANGE, pc);
}

static inline void written(const void *to, size_t size, uintptr_t pc) { used(to, size, WRITE, pc); }
static inline void is_read(const void *from, size_t size, uintptr_t pc) { used(from, size, READ, pc); }

/* A text as far as its end, or `most` bytes. */
static inline void text_read(const char *text, size_t most, uintptr_t pc) {
  const size_t length = strnlen(text, most);
  is_read(text, length < most ? length + 1 : most, pc);
}

#endif
