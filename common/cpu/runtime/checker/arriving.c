/*
 * Copies from global to shared memory in the background: which have been started and not been waited for.
 * Until the wait, the shadow says that the destination was never written.
 */
#include "checker/arriving.h"
#if CUCC_CHECKED
#include <stdlib.h>

#include "base/needed.h"
#include "base/occupancy.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "memory/split.h"
#include "checker/thread_state.h"

static struct started *started[WORKERS_MAX]; /* of each worker: MAX_THREADS of them, made at the first copy */
static bool any[WORKERS_MAX];                /* one of them is not empty, in this block */

void arriving_block_begins(const struct worker *w) {
  if (!any[w->index]) return;
  any[w->index] = false;
  for (int i = 0; i < MAX_THREADS; i++) started[w->index][i].count = started[w->index][i].committed = 0;
}

const struct arriving_copy *arriving_at(uintptr_t address) {
  if (address - thread_state.shared.base >= thread_state.shared.size) return NULL;
  const int k = cucc_worker->index;
  for (int t = 0; any[k] && t < MAX_THREADS; t++)
    for (size_t i = 0; i < started[k][t].count; i++)
      if (address - started[k][t].items[i].to < started[k][t].items[i].size) return &started[k][t].items[i];
  return NULL;
}

struct started *arriving_of(const struct worker *w, int thread) {
  return any[w->index] ? &started[w->index][thread] : NULL;
}

struct started *arriving_of_thread(void) {
  const int k = cucc_worker->index;
  if (!started[k]) started[k] = needed(calloc(MAX_THREADS, sizeof *started[k]));
  any[k] = true;
  return &started[k][cucc_worker->current];
}

/* The part of a word from `at` on that belongs to the copy: bytes [first, end) of it. */
struct word {
  size_t index, first, end;
};
static struct word word_at(const struct arriving_copy *c, uintptr_t at) {
  const size_t first = at % 4, left = c->to + c->size - at;
  return (struct word){(at - thread_state.shared.base) / 4, first, left < 4 - first ? first + left : 4};
}

/* Is all of the destination as when the copy was started, or such that only a read has been reported? */
static bool holds_none_but(const struct arriving_copy *c, uint32_t other) {
  for (uintptr_t at = c->to; at < c->to + c->size;) {
    const struct word word = word_at(c, at);
    struct cell four[4];
    split_load(&thread_state.shared, word.index, four, word.first, word.end);
    for (size_t i = word.first; i < word.end; i++)
      if (four[i].write != NOTHING && four[i].write != other) return false;
    at += word.end - word.first;
  }
  return true;
}

bool arriving_unwritten(const struct arriving_copy *c) { return holds_none_but(c, OLD); }
bool arriving_untouched(const struct arriving_copy *c) { return holds_none_but(c, NOTHING); }

void arriving_enter_writes(const struct arriving_copy *c, uint32_t write) {
  for (uintptr_t at = c->to; at < c->to + c->size;) {
    const struct word word = word_at(c, at);
    struct cell four[4];
    split_load(&thread_state.shared, word.index, four, word.first, word.end);
    for (size_t i = word.first; i < word.end; i++) four[i].write = write;
    split_store(&thread_state.shared, word.index, four, word.first, word.end);
    thread_state.shared.sites[word.index].write = site_of(c->pc);
    at += word.end - word.first;
  }
}

#endif
