/*
 * What the runtime tells the checker at each turn of a thread: as check.h, but inline, because with barriers
 * this happens as often as accesses do.
 */
#ifndef CUCC_TURN_H
#define CUCC_TURN_H

#include "check.h"
#if CUCC_CHECKED
#include "checker.h"
#include "profile.h"

/* The running thread's accesses are stamped anew. */
static inline void check_thread_resumes(const struct worker *w) {
  struct lane *l = &lane;
  const uint32_t thread = (uint32_t)w->current, record = RECORD(w->warps[thread / 32].id);
  l->me = record | thread;
  l->many_warp = record | FLAG | thread / 32;
}

/* It is on this stack from now on. */
static inline void check_fiber_resumes(const struct fiber *f) {
  lane.stack = f->low;
  lane.stack_size = f->high - f->low;
}

/* The running thread gives way to another. */
static inline void check_thread_leaves(void) {
  if (UNLIKELY(lane.pending.size | lane.volatile_read)) order_settle();
}

static inline void check_thread_ends(struct worker *w) {
  check_thread_leaves();
  if (UNLIKELY(lane.profile)) profile_thread_ends(w);
}
#else
CHECK(void check_thread_resumes(const struct worker *w))
CHECK(void check_fiber_resumes(const struct fiber *f))
CHECK(void check_thread_leaves(void))
CHECK(void check_thread_ends(struct worker *w))
#endif

#endif
