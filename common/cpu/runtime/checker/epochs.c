/*
 * Within a launch: what each worker stamps its accesses with, from its first block to its last. Blocks,
 * barriers and synchronisations of warps and of the grid begin a new segment with a new id.
 */
#include "checker/epochs.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "base/options.h"
#include "state/op.h"
#include "state/sample.h"
#include "state/worker.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/shared.h"
#include "checker/arriving.h"
#include "checker/findings.h"
#include "checker/ids.h"
#include "checker/past.h"
#include "checker/pending.h"
#include "checker/profile.h"
#include "checker/read_only.h"
#include "checker/seen.h"
#include "checker/thread_state.h"

void check_launch_begin(const struct op *op) {
  profile_launch_begin(op);
  if (ids.next > ID_MAX / 2) past_restart();
  ids.next = ids.launch_first = ROUND_UP(ids.next);
  ids.launch_safe = past_safe_id(op, ids.launch_first);
  past_set_running(op);
  ids.round = 0;
  ids.grid_first = 0;
  ids.launches++;
  ids.workers = 0;
  ids.released_any = false;
  ids_forget_blocks();
}

void check_launch_end(const struct op *op) {
  read_only_judge(op);
  past_add(op, ids.launch_first, ids.next);
  ids.next++;
  past_set_running(NULL);
  if (ids.round) past_restart();
}

/* What happened in this launch before id `first` comes before all that this worker does from now on. */
static void begin_epoch(struct thread_state *l, uint32_t first) {
  if (l->safe == l->launch) l->safe = RECORD(first);
  l->launch = RECORD(first);
  l->old_span = l->safe - OLD;
  l->many_blocks = l->launch | MANY_BLOCKS;
}

void check_worker_begin(struct worker *w) {
  struct thread_state *l = &thread_state;
  static __thread unsigned seen;
  if (!l->acquired) {
    l->acquired = needed(calloc(WORKERS_MAX, sizeof *l->acquired));
    l->shared = shared_region();
  }
  if (seen != ids.generation) {
    memset(l->shared.cells, 0, l->shared.size * 2);
    memset(l->shared.bytes, 0, l->shared.size * 8);
    memset(l->shared.plain, 0, l->shared.size * 3);
  }
  seen = ids.generation;
  l->race = checking(TOOL_RACE) && !sampling(); /* then only places are judged: findings.c */
  l->init = checking(TOOL_INIT) && !sampling();
  l->profile = profile_worker_begin(); /* then every access takes the slow way */
  /* with several devices each access must be seen: whose memory is it; in a sample no cell is looked at */
  l->arena_size = l->profile || sampling() || options()->devices > 1 ? 0 : ARENA_SIZE;
  l->shared_window = l->profile ? 0 : l->shared.size;
  l->next_id = l->ids_end = 0;
  l->round = __atomic_load_n(&ids.round, __ATOMIC_RELAXED);
  l->launch = RECORD(ids.launch_first);
  l->safe = RECORD(ids.launch_safe);
  begin_epoch(l, ids.launch_first);
  memset(l->known, 0, sizeof l->known);
  l->ordered_first = 1, l->ordered_last = 0;
  l->pending.size = 0;
  int most = __atomic_load_n(&ids.workers, __ATOMIC_RELAXED);
  while (w->index >= most && !__atomic_compare_exchange_n(&ids.workers, &most, w->index + 1, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void check_worker_end(struct worker *w) {
  struct thread_state *l = &thread_state;
  (void)w;
  if (l->unwritten_count) judge_unwritten();
  if (l->profile) profile_worker_end();
  l->arena_size = l->shared_window = l->stack_size = 0;
}

/* The worker's thread ends. */
void check_worker_leaves(void) {
  struct thread_state *l = &thread_state;
  free(l->acquired);
  free(l->loads);
  l->loads = NULL;
  if (l->shared.cells) shared_free(&l->shared);
  l->acquired = NULL;
}

/* Ids have run out in the middle of a launch: forget what was accessed when, everywhere, and begin again with
 * the launch's first. What other workers stamp meanwhile may hide a race; it cannot make one up. */
static void begin_again(struct worker *w) {
  struct thread_state *l = &thread_state;
  pthread_mutex_lock(&ids.lock);
  if (l->round == ids.round) {
    __atomic_store_n(&ids.next, ids.launch_first, __ATOMIC_RELAXED);
    __atomic_store_n(&ids.round, ids.round + 1, __ATOMIC_RELAXED);
  }
  l->round = ids.round;
  pthread_mutex_unlock(&ids.lock);
  shadow_forget();
  ids_take_portion(w);
  const uint32_t block = ids_take(w);
  for (size_t i = 0; i < 5 * l->shared.size / 4; i++) { /* split cells come after the whole ones */
    struct cell *c = i < l->shared.size / 4 ? &l->shared.cells[i] : &l->shared.bytes[i - l->shared.size / 4];
    c->write = c->write == SPLIT ? SPLIT : c->write >= l->block ? RECORD(block) : NOTHING;
    c->read = 0;
  }
  memset(l->shared.plain, 0, l->shared.size * 3);
  l->block = RECORD(block);
  begin_epoch(l, ids.launch_first);
  ids_forget_blocks_of(w);
  for (int t = 0; l->phases && t < w->count; t++) w->phased[t].stamp = w->phased[t].heard = 0;
}

static bool ids_ran_out(const struct thread_state *l) {
  return l->next_id == l->ids_end && (__atomic_load_n(&ids.next, __ATOMIC_RELAXED) > ID_MAX ||
                                      __atomic_load_n(&ids.round, __ATOMIC_RELAXED) != l->round);
}

static void begin_segment(struct worker *w) {
  struct thread_state *l = &thread_state;
  const uint32_t id = ids_take(w);
  for (int i = 0; i * 32 < w->count; i++) w->warps[i].id = id;
  l->phase = RECORD(id);
  l->phase_span = l->phase - l->block;
  l->many_block = l->phase | MANY_IN_BLOCK;
}

void check_block_begins(struct worker *w) {
  struct thread_state *l = &thread_state;
  if (UNLIKELY(l->profile)) profile_block_begins(w);
  if (UNLIKELY(l->unwritten_count)) judge_unwritten();
  arriving_block_begins(w);
  seen_block_begins(w);
  if (UNLIKELY(ids_ran_out(l))) begin_again(w);
  begin_segment(w);
  l->block = l->phase;
  l->phase_span = 0;
  ids_note_block(w, ID(l->block));
  if (l->acquired_any) memset(l->acquired, 0, WORKERS_MAX * sizeof *l->acquired);
  l->acquired_any = false;
  l->fenced = FENCE_NONE;
}

void epochs_barrier(struct worker *w) {
  if (UNLIKELY(thread_state.unwritten_count)) judge_unwritten();
  if (UNLIKELY(ids_ran_out(&thread_state))) begin_again(w);
  begin_segment(w);
}

/* All blocks have come to the synchronisation of the grid, and none has gone on. */
void check_grid_met(void) { ids.grid_first = __atomic_fetch_add(&ids.next, PORTION, __ATOMIC_RELAXED); }

/* The running block goes on from it. */
void check_grid_passed(struct worker *w) {
  struct thread_state *l = &thread_state;
  l->next_id = l->ids_end; /* the rest of its portion is smaller than the id of the synchronisation */
  if (UNLIKELY(ids_ran_out(l)))
    begin_again(w);
  else
    begin_epoch(l, ids.grid_first);
  begin_segment(w);
}

void check_warp_synchronised(struct worker *w, struct warp *warp) {
  if (UNLIKELY(ids_ran_out(&thread_state))) {
    begin_again(w);
    begin_segment(w);
  }
  warp->id = ids_take(w);
}

/* The largest id so far will do: the index distinguishes another thread that has it. */
void check_thread_released(struct worker *w) {
  struct thread_state *l = &thread_state;
  if (!l->phases) return;
  if (UNLIKELY(ids_ran_out(l))) {
    begin_again(w);
    begin_segment(w);
  }
  const uint32_t last = l->next_id - 1;
  w->phased[w->current].stamp = last > ID(l->me) ? last : ids_take(w);
}

#endif
