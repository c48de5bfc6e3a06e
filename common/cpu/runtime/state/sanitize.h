/*
 * What AddressSanitizer needs to know about fibers, so that the runtime itself can be examined with them
 * (CUCC_RUNTIME_FLAGS, ../build-runtime.bash). Otherwise nothing happens here.
 */
#ifndef CUCC_STATE_SANITIZE_H
#define CUCC_STATE_SANITIZE_H

#include "base/base.h"
#include "base/fibers.h"
#include "base/switch.h"
#include "state/worker.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>

/* A function that reads what other functions have on their stacks. */
#define NOT_EXAMINED __attribute__((no_sanitize_address))

/* The worker is about to leave its context for `to`, its own stack's or w->fiber's. What is kept of the
 * context goes to *kept; NULL: no switch comes back to it. */
static inline void stack_left(const struct worker *w, void **kept, const struct context *to) {
  if (to == &w->main)
    __sanitizer_start_switch_fiber(kept, w->own_stack, w->own_stack_size);
  else
    __sanitizer_start_switch_fiber(kept, (void *)w->fiber->low, w->fiber->high - w->fiber->low);
}

/* It has come to a context, of which `kept` was kept, from `from`. */
static inline void stack_entered(struct worker *w, void *kept, const void *from) {
  const void *stack;
  size_t size;
  __sanitizer_finish_switch_fiber(kept, &stack, &size);
  if (from != &w->main) return;
  w->own_stack = stack;
  w->own_stack_size = size;
}

/* A fiber begins afresh, on a stack where calls may lie that never returned. */
static inline void stack_cleared(const struct fiber *f) {
  __asan_unpoison_memory_region((void *)f->low, f->high - f->low);
}
#else
#define NOT_EXAMINED
static inline void stack_left(const struct worker *w, void **kept, const struct context *to) {
  (void)w, (void)kept, (void)to;
}
static inline void stack_entered(struct worker *w, void *kept, const void *from) {
  (void)w, (void)kept, (void)from;
}
static inline void stack_cleared(const struct fiber *f) { (void)f; }
#endif

#endif
