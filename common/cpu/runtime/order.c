/*
 * When: identifiers for stretches of time, and whether one comes before another.
 *
 * Within a launch, worker k stamps with ids first+k, first+k+stride, … and takes a new one for each block,
 * each barrier and each synchronisation of a warp. Launches and copies run one after another, whatever their
 * streams, so ids of earlier operations are smaller; which of those really come before, and which ran earlier
 * only by chance, the vector clocks of their streams tell. An operation that all earlier ones come before
 * (the usual case) has `safe` equal to its first id, and its accesses need one comparison.
 *
 * Fences: a block that has executed __threadfence releases, with its next atomic operation on X, all it did
 * so far; an atomic operation on X acquires what was released there. That is the last-block and the lock
 * pattern.
 */
#include "checker.h"
#include "profile.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define PAST_MAX  4096
#define SYNC_SIZE 1024 /* places of the table of released-on addresses; a power of two */
#define WORKERS   64

static uint32_t next_id = FIRST_ID, launch_first, launch_safe;
static uint32_t reached;    /* by any worker of this launch */
static bool overflowed;     /* ids ran out within this launch */
static unsigned generation; /* of ids */

static struct past *past;
static size_t past_count;

static struct {
  uint32_t first;
  uint64_t block;
} * blocks_run[WORKERS];
static size_t blocks_count[WORKERS], blocks_room[WORKERS];

struct released {
  uintptr_t address;
  uint32_t at[WORKERS];
};
static struct released *released;
static bool released_any;
static pthread_mutex_t released_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------------------------------------------------- operations
 */

static void restart_ids(void) {
  shadow_forget();
  next_id = FIRST_ID;
  past_count = 0;
  generation++;
}

/* The first id of an older operation that does not come before op; `mine` when there is none. */
static uint32_t safe_id(const struct op *op, uint32_t mine) {
  for (size_t i = 0; i < past_count; i++)
    if (clock_get(&op->clock, past[i].slot) < past[i].seq) return past[i].first;
  return mine;
}

static void remember(const struct op *op, uint32_t first, uint32_t last) {
  if (!past) past = malloc(PAST_MAX * sizeof *past);
  if (past_count == PAST_MAX) { /* a very long queue: races with the oldest half are no longer found */
    past_count /= 2;
    memmove(past, past + past_count, past_count * sizeof *past);
  }
  struct past *p = &past[past_count++];
  *p = (struct past){.first = first,
                     .last = last,
                     .slot = op->stream->slot,
                     .seq = op->seq,
                     .stream = op->stream->id,
                     .site = op->site};
  snprintf(p->name, sizeof p->name, "%s", op->call);
  if (op->launch) {
    snprintf(p->file, sizeof p->file, "%s", op->launch->file);
    p->line = op->launch->line;
  }
}

/* The host has seen all that ran: nothing later can overlap it. */
void order_prune(void) {
  size_t i = 0;
  if (cucc.pending) return;
  while (i < past_count && (past[i].slot == HOST_SLOT || clock_get(&cucc.host, past[i].slot) >= past[i].seq))
    i++;
  if (i == past_count) __atomic_store_n(&past_count, 0, __ATOMIC_RELAXED);
}

bool order_busy(void) {
  return __atomic_load_n(&cucc.pending, __ATOMIC_RELAXED) || __atomic_load_n(&past_count, __ATOMIC_RELAXED);
}

const struct past *past_of(uint32_t record) {
  size_t low = 0, high = past_count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (past[middle].first <= ID(record))
      low = middle + 1;
    else
      high = middle;
  }
  return low && past[low - 1].last >= ID(record) ? &past[low - 1] : NULL;
}

bool order_unordered(const struct op *op, uint32_t record) {
  const struct past *p = past_of(record);
  if (p && p->slot == op->stream->slot && p->seq == op->seq)
    return false; /* itself: it reads and writes there */
  return p && clock_get(&op->clock, p->slot) < p->seq;
}

uint32_t order_operation(const struct op *op, uint32_t *safe) {
  if (next_id > ID_MAX / 2) restart_ids();
  const uint32_t id = next_id++;
  *safe = RECORD(safe_id(op, id));
  remember(op, id, id);
  return id;
}

void check_launch_begin(const struct op *op) {
  profile_launch_begin(op);
  if (next_id > ID_MAX / 2) restart_ids();
  launch_first = reached = next_id;
  launch_safe = safe_id(op, launch_first);
  overflowed = false;
  if (released_any) memset(released, 0, SYNC_SIZE * sizeof *released);
  released_any = false;
  memset(blocks_count, 0, sizeof blocks_count);
}

void check_launch_end(const struct op *op) {
  next_id = reached + (uint32_t)options()->workers;
  remember(op, launch_first, next_id - 1);
  if (overflowed) restart_ids();
}

/* ---------------------------------------------------------------------------------------------- workers */

static uint32_t take_id(struct worker *w) {
  struct lane *l = &lane;
  const uint32_t id = l->next_id;
  l->next_id += l->stride;
  (void)w;
  return id;
}

void check_worker_begin(struct worker *w) {
  struct lane *l = &lane;
  static __thread unsigned seen;
  if (!l->acquired) {
    l->acquired = calloc(WORKERS, sizeof *l->acquired);
    l->shared = shared_region();
  }
  if (seen != generation)
    memset(l->shared.cells, 0, l->shared.size * 2), memset(l->shared.bytes, 0, l->shared.size * 8);
  seen = generation;
  l->race = checking(TOOL_RACE);
  l->init = checking(TOOL_INIT);
  l->profile = profile_worker_begin(); /* then every access takes the slow way */
  l->arena_size = l->profile ? 0 : ARENA_SIZE;
  l->shared_window = l->profile ? 0 : l->shared.size;
  l->stride = (uint32_t)options()->workers;
  l->next_id = launch_first + (uint32_t)w->index;
  l->launch = RECORD(launch_first);
  l->safe = RECORD(launch_safe);
  l->old_span = l->safe - OLD;
  l->many_blocks = l->launch | MANY_BLOCKS;
  l->known = l->known_end = 0;
  l->ordered_first = 1, l->ordered_last = 0;
  l->pending.size = 0;
}

void check_worker_end(struct worker *w) {
  struct lane *l = &lane;
  (void)w;
  if (l->unwritten_count) judge_unwritten();
  if (l->profile) profile_worker_end();
  l->arena_size = l->shared_window = l->stack_size = 0;
  uint32_t now = __atomic_load_n(&reached, __ATOMIC_RELAXED);
  while (l->next_id > now &&
         !__atomic_compare_exchange_n(&reached, &now, l->next_id, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

/* Ids have run out in the middle of a launch: forget what was accessed when, everywhere, and begin again with
 * the launch's first. What other workers stamp meanwhile may hide a race; it cannot make one up. */
static void begin_again(struct worker *w) {
  struct lane *l = &lane;
  const uint32_t block = launch_first + (uint32_t)w->index;
  __atomic_store_n(&overflowed, true, __ATOMIC_RELAXED);
  shadow_forget();
  for (size_t i = 0; i < 5 * l->shared.size / 4; i++) { /* split cells come behind the whole ones */
    struct cell *c = i < l->shared.size / 4 ? &l->shared.cells[i] : &l->shared.bytes[i - l->shared.size / 4];
    c->write = c->write == SPLIT ? SPLIT : c->write >= l->block ? RECORD(block) : NOTHING;
    c->read = 0;
  }
  l->block = RECORD(block);
  l->next_id = block + l->stride;
  blocks_count[w->index] = 0;
}

static void new_stretch(struct worker *w) {
  struct lane *l = &lane;
  const uint32_t id = take_id(w);
  for (int i = 0; i * 32 < w->count; i++) w->warps[i].id = id;
  l->phase = RECORD(id);
  l->many_block = l->phase | MANY_IN_BLOCK;
}

void check_block_begins(struct worker *w) {
  struct lane *l = &lane;
  const int k = w->index;
  if (UNLIKELY(l->profile)) profile_block_begins(w);
  if (UNLIKELY(l->unwritten_count)) judge_unwritten();
  l->block = RECORD(l->next_id);
  if (UNLIKELY(l->next_id > ID_MAX)) begin_again(w);
  if (blocks_count[k] == blocks_room[k]) {
    blocks_room[k] = blocks_room[k] ? 2 * blocks_room[k] : 256;
    blocks_run[k] = realloc(blocks_run[k], blocks_room[k] * sizeof *blocks_run[k]);
  }
  blocks_run[k][blocks_count[k]].first = ID(l->block);
  blocks_run[k][blocks_count[k]++].block = w->block;
  if (l->acquired_any) memset(l->acquired, 0, WORKERS * sizeof *l->acquired);
  l->acquired_any = l->fenced = false;
  new_stretch(w);
}

void order_barrier(struct worker *w) {
  if (UNLIKELY(lane.unwritten_count)) judge_unwritten();
  if (UNLIKELY(lane.next_id > ID_MAX)) begin_again(w);
  new_stretch(w);
}

void check_warp_synchronised(struct worker *w, struct warp *warp) {
  if (UNLIKELY(lane.next_id > ID_MAX)) {
    begin_again(w);
    new_stretch(w);
  }
  warp->id = take_id(w);
}

void check_thread_resumes(struct worker *w) {
  struct lane *l = &lane;
  const uint32_t thread = (uint32_t)w->current, id = w->warps[thread / 32].id;
  l->me = RECORD(id) | thread;
  l->many_warp = RECORD(id) | FLAG | thread / 32;
  l->stack = w->fiber->low;
  l->stack_size = w->fiber->high - w->fiber->low;
}

void check_thread_ends(struct worker *w) {
  if (UNLIKELY(lane.pending.size)) judge_pending();
  if (UNLIKELY(lane.profile)) profile_thread_ends(w);
}

/* ---------------------------------------------------------------------------------------------- relations */

/* Stamped by this worker; of this block when it is not smaller than lane.block. */
bool order_mine(const struct lane *l, uint32_t record) {
  return (ID(record) - ID(l->launch)) % l->stride == (uint32_t)cucc_worker->index;
}

static bool operation_in_order(struct lane *l, uint32_t record) {
  if (ID(record) >= l->ordered_first && ID(record) <= l->ordered_last) return true;
  const struct past *p = past_of(record);
  if (p && clock_get(&cucc_worker->launch->op->clock, p->slot) < p->seq) return false;
  if (p) {
    l->ordered_first = p->first;
    l->ordered_last = p->last;
  }
  return true;
}

enum relation relation_of(struct lane *l, uint32_t record, bool read) {
  if (record < l->safe) return IN_ORDER;
  if (record < l->launch) return operation_in_order(l, record) ? IN_ORDER : OTHER_OPERATION;
  if (read && (record & ~2u) == l->many_blocks) return l->acquired_any ? IN_ORDER : OTHER_BLOCK;
  if (record < l->block || !order_mine(l, record)) {
    const uint32_t worker = (ID(record) - ID(l->launch)) % l->stride;
    return l->acquired_any && ID(record) <= l->acquired[worker] ? IN_ORDER : OTHER_BLOCK;
  }
  const struct worker *w = cucc_worker;
  if (record < l->phase || ID(record) <= w->threads[w->current].acquired) return IN_ORDER;
  const bool several = read && (record & FLAG);
  if ((several ? WHO(record) : WHO(record) / 32) != (uint32_t)(WHO(l->me) / 32)) return SAME_BLOCK;
  if (ID(record) < ID(l->me) || (!several && WHO(record) == WHO(l->me))) return IN_ORDER;
  return SAME_WARP;
}

uint64_t block_of(uint32_t record) {
  const uint32_t k = (ID(record) - launch_first) % lane.stride;
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

/* ---------------------------------------------------------------------------------------------- fences */

void check_fence(struct worker *w) {
  (void)w;
  lane.fenced = true;
}

/* The entry of an address, or a free place for it; with the lock held. A full table forgets: races may be
 * missed. */
static struct released *entry_of(uintptr_t address) {
  if (!released) released = calloc(SYNC_SIZE, sizeof *released);
  size_t i = (address >> 2) * 0x9e3779b1u % SYNC_SIZE;
  for (int tries = 0; tries < 16 && released[i].address && released[i].address != address; tries++)
    i = (i + 1) % SYNC_SIZE;
  return &released[i];
}

void order_release(struct lane *l, uintptr_t address) {
  struct worker *w = cucc_worker;
  if (!w || !l->fenced) return;
  pthread_mutex_lock(&released_lock);
  struct released *r = entry_of(address);
  if (r->address != address) memset(r, 0, sizeof *r);
  r->address = address;
  for (uint32_t k = 0; k < l->stride; k++)
    if (l->acquired[k] > r->at[k]) r->at[k] = l->acquired[k];
  r->at[w->index] = ID(l->me);
  __atomic_store_n(&released_any, true, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&released_lock);
  check_warp_synchronised(w,
                          &w->warps[w->current / 32]); /* what this warp does from now on was not released */
  check_thread_resumes(w);
}

void order_acquire(struct lane *l, uintptr_t address) {
  struct worker *w = cucc_worker;
  if (!w || !__atomic_load_n(&released_any, __ATOMIC_RELAXED)) return;
  pthread_mutex_lock(&released_lock);
  struct released *r = entry_of(address);
  if (r->address == address) {
    for (uint32_t k = 0; k < l->stride; k++)
      if (r->at[k] > l->acquired[k]) l->acquired[k] = r->at[k];
    l->acquired_any = true;
    w->threads[w->current].acquired = r->at[w->index];
  }
  pthread_mutex_unlock(&released_lock);
}

#endif
