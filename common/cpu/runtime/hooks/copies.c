/*
 * Copies from global to shared memory in the background (cuda_pipeline.h, cooperative_groups' memcpy_async).
 * The headers make each copy at once, store by store, and announce it here. Until the thread that started it
 * has waited for it, the shadow says that the destination was never written, so that a thread that reads too
 * early is reported for reading unwritten memory. The wait enters the writes.
 */
#include "hooks/copies.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/arriving.h"
#include "checker/epochs.h"
#include "checker/pending.h"
#include "checker/seen.h"
#include "checker/thread_state.h"
#include "checker/turn.h"
#include "hooks/judge.h"

void cucc_copy_started(const void *to, size_t size);
void cucc_copies_commit(void);
void cucc_copies_wait(size_t but_last);
void cucc_copies_bind(const void *object);

void cucc_copy_started(const void *to, size_t size) {
  const uintptr_t offset = (uintptr_t)to - thread_state.shared.base;
  if (!cucc_worker || !thread_state.init || offset >= thread_state.shared.size ||
      size > thread_state.shared.size - offset)
    return;
  judge_pending();
  struct started *s = arriving_of_thread();
  if (s->count == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 8;
    s->items = needed(realloc(s->items, s->capacity * sizeof *s->items));
  }
  s->items[s->count] = (struct arriving_copy){(uintptr_t)to, CALLER, size, s->committed, 0, thread_state.me};
  arriving_enter_writes(&s->items[s->count++], NOTHING);
}

void cucc_copies_commit(void) {
  if (cucc_worker) arriving_of_thread()->committed++;
}

/* Where another access came in between, the write is judged as any other. */
static void arrive(const struct arriving_copy *c) {
  if (arriving_untouched(c))
    arriving_enter_writes(c, thread_state.me);
  else
    judge(c->to, c->size, WRITE | UNALIGNED, c->pc);
}

/* All batches of this thread have arrived but the last few. */
void cucc_copies_wait(size_t but_last) {
  if (!cucc_worker) return;
  struct started *s = arriving_of_thread();
  size_t kept = 0;
  for (size_t i = 0; i < s->count; i++) {
    const struct arriving_copy c = s->items[i];
    if (c.object || c.batch + but_last >= s->committed)
      s->items[kept++] = c;
    else
      arrive(&c);
  }
  s->count = kept;
}

/* What this thread has started but has yet to commit belongs to the running phase of a barrier. */
void cucc_copies_bind(const void *object) {
  struct worker *w = cucc_worker;
  if (!w) return;
  struct started *s = arriving_of_thread();
  uint32_t *copies = seen_copies(w, object);
  for (size_t i = 0; i < s->count; i++) {
    if (s->items[i].object || s->items[i].batch != s->committed) continue;
    s->items[i].object = (uintptr_t)object;
    ++*copies;
  }
  if (!seen_object(w, object)) { /* of several blocks: the copies are waited for here */
    copies_arrive(w, object);
    return;
  }
  seen_arrive(w, object); /* who waits for the phase has seen them */
  check_thread_released(w);
  check_thread_resumes(w);
}

/* In the place of the thread that started it. Who read too early has been reported. */
static void arrive_for(struct worker *w, int thread, const struct arriving_copy *c) {
  if (arriving_unwritten(c)) {
    arriving_enter_writes(c, c->record);
    return;
  }
  const int running = w->current;
  w->current = thread;
  cucc_self.thread_idx = w->index_of[thread];
  check_thread_resumes(w);
  judge(c->to, c->size, WRITE | UNALIGNED, c->pc);
  w->current = running;
  cucc_self.thread_idx = w->index_of[running];
  check_thread_resumes(w);
}

void copies_arrive(struct worker *w, const void *object) {
  for (int t = 0; t < w->count; t++) {
    struct started *s = arriving_of(w, t);
    size_t kept = 0;
    for (size_t i = 0; s && i < s->count; i++) {
      const struct arriving_copy c = s->items[i];
      if (c.object == (uintptr_t)object)
        arrive_for(w, t, &c);
      else
        s->items[kept++] = c;
    }
    if (s) s->count = kept;
  }
}

#endif
