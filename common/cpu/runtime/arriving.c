/*
 * Copies from global to shared memory in the background (cuda_pipeline.h, cooperative_groups' memcpy_async).
 * The headers make each at once, store by store, and tell it here. Until the thread that started it has
 * waited for it, the shadow says that nobody wrote there, so that who reads it too early is found as a reader
 * of unwritten memory; with the wait the writing is entered.
 */
#include "checker.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

void cucc_copy_started(const void *to, size_t size);
void cucc_copies_commit(void);
void cucc_copies_wait(size_t but_last);

struct copy {
  uintptr_t to, pc;
  size_t size;
  uint32_t batch; /* counted by the thread's commits */
};

/* What a thread of the running block has started and not waited for, oldest first. */
struct started {
  struct copy *items;
  size_t count, capacity;
  uint32_t committed;
};

static struct started *started[WORKERS_MAX]; /* of each worker: MAX_THREADS of them, made at the first copy */
static bool any[WORKERS_MAX];                /* one of them is not empty, in this block */

void arriving_block_begins(const struct worker *w) {
  if (!any[w->index]) return;
  any[w->index] = false;
  for (int i = 0; i < MAX_THREADS; i++) started[w->index][i].count = started[w->index][i].committed = 0;
}

bool arriving_at(uintptr_t address) {
  const int k = cucc_worker->index;
  for (int t = 0; any[k] && t < MAX_THREADS; t++)
    for (size_t i = 0; i < started[k][t].count; i++)
      if (address - started[k][t].items[i].to < started[k][t].items[i].size) return true;
  return false;
}

static struct started *of_this_thread(void) {
  const int k = cucc_worker->index;
  if (!started[k]) started[k] = needed(calloc(MAX_THREADS, sizeof *started[k]));
  any[k] = true;
  return &started[k][cucc_worker->current];
}

/* The part of a word from `at` on that belongs to the copy: bytes [first, end) of it. */
struct word {
  size_t index, first, end;
};
static struct word word_at(const struct copy *c, uintptr_t at) {
  const size_t first = at % 4, left = c->to + c->size - at;
  return (struct word){(at - lane.shared.base) / 4, first, left < 4 - first ? first + left : 4};
}

/* Has nobody touched the copy's place since it was started? */
static bool untouched(const struct copy *c) {
  for (uintptr_t at = c->to; at < c->to + c->size;) {
    const struct word word = word_at(c, at);
    struct cell four[4];
    split_load(&lane.shared, word.index, four, word.first, word.end);
    for (size_t i = word.first; i < word.end; i++)
      if (four[i].write != NOTHING) return false;
    at += word.end - word.first;
  }
  return true;
}

static void enter_writes(const struct copy *c, uint32_t write) {
  for (uintptr_t at = c->to; at < c->to + c->size;) {
    const struct word word = word_at(c, at);
    struct cell four[4];
    split_load(&lane.shared, word.index, four, word.first, word.end);
    for (size_t i = word.first; i < word.end; i++) four[i].write = write;
    split_store(&lane.shared, word.index, four, word.first, word.end);
    lane.shared.sites[word.index].write = site_of(c->pc);
    at += word.end - word.first;
  }
}

void cucc_copy_started(const void *to, size_t size) {
  const uintptr_t offset = (uintptr_t)to - lane.shared.base;
  if (!cucc_worker || !lane.init || offset >= lane.shared.size || size > lane.shared.size - offset) return;
  judge_pending();
  struct started *s = of_this_thread();
  if (s->count == s->capacity) {
    s->capacity = s->capacity ? 2 * s->capacity : 8;
    s->items = needed(realloc(s->items, s->capacity * sizeof *s->items));
  }
  s->items[s->count] = (struct copy){(uintptr_t)to, CALLER, size, s->committed};
  enter_writes(&s->items[s->count++], NOTHING);
}

void cucc_copies_commit(void) {
  if (cucc_worker) of_this_thread()->committed++;
}

/* All batches of this thread have arrived but the last few. Where somebody was there in the meantime, the
 * write is judged as any other. */
void cucc_copies_wait(size_t but_last) {
  if (!cucc_worker) return;
  struct started *s = of_this_thread();
  size_t arrived = 0;
  while (arrived < s->count && s->items[arrived].batch + but_last < s->committed) {
    const struct copy c = s->items[arrived++];
    if (untouched(&c))
      enter_writes(&c, lane.me);
    else
      judge(c.to, c.size, WRITE | UNALIGNED, c.pc);
  }
  s->count -= arrived;
  if (arrived) memmove(s->items, s->items + arrived, s->count * sizeof *s->items);
}

#endif
