/*
 * What the checker does at each turn of a thread. It is inline, because with barriers this happens as often
 * as accesses do.
 */
#ifndef CUCC_CHECKER_TURN_H
#define CUCC_CHECKER_TURN_H

#include "base/base.h"
#include "base/check.h"
#include "base/fibers.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/fences.h"
#include "checker/profile.h"
#include "checker/thread_state.h"

#if CUCC_CHECKED

/* The running thread's accesses are stamped anew. */
static inline void check_thread_resumes(const struct worker *w) {
  struct thread_state *l = &thread_state;
  const uint32_t thread = (uint32_t)w->current, record = RECORD(w->warps[thread / 32].id);
  const uint32_t own = UNLIKELY(l->phases) ? RECORD(w->phased[thread].stamp) : 0;
  l->me = (own > record ? own : record) | thread;
  l->many_warp = record | FLAG | thread / 32;
}

/* It is on this stack from now on. */
static inline void check_fiber_resumes(const struct fiber *f) {
  thread_state.stack = f->low;
  thread_state.stack_size = f->high - f->low;
}

/* The running thread gives way to another. */
static inline void check_thread_leaves(void) {
  if (UNLIKELY(thread_state.pending.size | thread_state.volatile_read)) fences_settle();
}

static inline void check_thread_ends(struct worker *w) {
  check_thread_leaves();
  if (UNLIKELY(thread_state.profile)) profile_thread_ends(w);
}
#else
CHECK(void check_thread_resumes(const struct worker *w))
CHECK(void check_fiber_resumes(const struct fiber *f))
CHECK(void check_thread_leaves(void))
CHECK(void check_thread_ends(struct worker *w))
#endif

#endif
