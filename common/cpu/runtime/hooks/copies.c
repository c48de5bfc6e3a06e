/*
 * Copies from global to shared memory in the background (cuda_pipeline.h, cooperative_groups' memcpy_async).
 * The headers make each copy at once, store by store, and announce it here. Until the thread that started it
 * has waited for it, the shadow says that the destination was never written, so that a thread that reads too
 * early is reported for reading unwritten memory. The wait enters the writes.
 */
#include "base/base.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/arriving.h"
#include "checker/pending.h"
#include "checker/thread_state.h"
#include "hooks/judge.h"

void cucc_copy_started(const void *to, size_t size);
void cucc_copies_commit(void);
void cucc_copies_wait(size_t but_last);

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
  s->items[s->count] = (struct arriving_copy){(uintptr_t)to, CALLER, size, s->committed};
  arriving_enter_writes(&s->items[s->count++], NOTHING);
}

void cucc_copies_commit(void) {
  if (cucc_worker) arriving_of_thread()->committed++;
}

/* All batches of this thread have arrived but the last few. Where another access came in between, the write
 * is judged as any other. */
void cucc_copies_wait(size_t but_last) {
  if (!cucc_worker) return;
  struct started *s = arriving_of_thread();
  size_t arrived = 0;
  while (arrived < s->count && s->items[arrived].batch + but_last < s->committed) {
    const struct arriving_copy c = s->items[arrived++];
    if (arriving_untouched(&c))
      arriving_enter_writes(&c, thread_state.me);
    else
      judge(c.to, c.size, WRITE | UNALIGNED, c.pc);
  }
  s->count -= arrived;
  if (arrived) memmove(s->items, s->items + arrived, s->count * sizeof *s->items);
}

#endif
