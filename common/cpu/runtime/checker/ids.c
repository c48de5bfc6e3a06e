/*
 * Identifiers for segments of time, and the blocks that they stand for.
 *
 * Within a launch a worker stamps with ids that it takes in portions of PORTION from one counter, and takes a
 * new one for each block, each barrier and each synchronisation of a warp; `owner` holds whose portion an id
 * lies in. So the ids of one worker only grow, and there may be any number of workers. Launches and copies
 * run one after another, whatever their streams, so ids of earlier operations are smaller; the vector clocks
 * of their streams say which of those really come before, and which ran earlier only by chance. An operation
 * that all earlier ones come before (the usual case) has `safe` equal to its first id, and its accesses need
 * one comparison.
 *
 * A synchronisation of the grid takes an id, too: everything of this launch below it comes before what
 * follows, as if an earlier launch had done it.
 */
#include "checker/ids.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/thread_state.h"

struct ids ids = {.next = FIRST_ID, .lock = PTHREAD_MUTEX_INITIALIZER};
static uint16_t owner[RECORD_IDS / PORTION];

static struct {
  uint32_t first;
  uint64_t block;
} * blocks_run[WORKERS_MAX];
static size_t blocks_count[WORKERS_MAX], blocks_room[WORKERS_MAX];

void ids_take_portion(const struct worker *w) {
  struct thread_state *l = &thread_state;
  l->next_id = __atomic_fetch_add(&ids.next, PORTION, __ATOMIC_RELAXED);
  l->ids_end = l->next_id + PORTION;
  __atomic_store_n(&owner[l->next_id / PORTION], (uint16_t)w->index, __ATOMIC_RELAXED);
}

uint32_t ids_take(const struct worker *w) {
  if (thread_state.next_id == thread_state.ids_end) ids_take_portion(w);
  return thread_state.next_id++;
}

uint32_t ids_larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

int ids_owner(uint32_t record) { return __atomic_load_n(&owner[ID(record) / PORTION], __ATOMIC_RELAXED); }

void ids_note_block(const struct worker *w, uint32_t id) {
  const int k = w->index;
  if (blocks_count[k] == blocks_room[k]) {
    blocks_room[k] = blocks_room[k] ? 2 * blocks_room[k] : 256;
    blocks_run[k] = needed(realloc(blocks_run[k], blocks_room[k] * sizeof *blocks_run[k]));
  }
  blocks_run[k][blocks_count[k]].first = id;
  blocks_run[k][blocks_count[k]++].block = w->block;
}

void ids_forget_blocks(void) { memset(blocks_count, 0, sizeof blocks_count); }

void ids_forget_blocks_of(const struct worker *w) { blocks_count[w->index] = 0; }

uint64_t block_of(uint32_t record) {
  const int k = ids_owner(record);
  size_t low = 0, high = blocks_count[k];
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (blocks_run[k][middle].first <= ID(record))
      low = middle + 1;
    else
      high = middle;
  }
  return low ? blocks_run[k][low - 1].block : UINT64_MAX;
}

#endif
