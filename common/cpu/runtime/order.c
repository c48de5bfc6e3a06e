/*
 * When: identifiers for stretches of time, and whether one comes before another.
 *
 * Within a launch a worker stamps with ids that it takes in portions of PORTION from one counter, and takes a
 * new one for each block, each barrier and each synchronisation of a warp; `owner` tells whose portion an id
 * lies in. So the ids of one worker only grow, and there may be any number of workers. Launches and copies
 * run one after another, whatever their streams, so ids of earlier operations are smaller; which of those
 * really come before, and which ran earlier only by chance, the vector clocks of their streams tell. An
 * operation that all earlier ones come before (the usual case) has `safe` equal to its first id, and its
 * accesses need one comparison.
 *
 * A synchronisation of the grid takes an id, too: everything of this launch below it comes before what
 * follows, as if an earlier launch had done it.
 *
 * Fences: a block that has executed __threadfence releases, with its next atomic operation on X, all it did
 * so far; an atomic operation on X acquires what was released there. That is the last-block and the lock
 * pattern. In shared memory __threadfence_block is enough. What a lane has acquired, the lanes that it meets
 * in a warp function have acquired, too.
 */
#include "checker.h"
#include "profile.h"
#include "turn.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define PAST_MAX     4096
#define SYNC_SIZE    1024 /* places of the table of released-on addresses; a power of two */
#define PORTION      16u
#define ROUND_UP(id) (((id) + PORTION - 1) / PORTION * PORTION)

static uint32_t next_id = FIRST_ID, launch_first, launch_safe;
static uint32_t grid_first; /* of the last synchronisation of the grid */
static uint16_t owner[RECORD_IDS / PORTION];
static unsigned round;      /* how often ids ran out within this launch */
static unsigned generation; /* of ids */
static unsigned launches;
static int workers; /* the largest index of a worker in this launch, plus one */
static pthread_mutex_t ids_lock = PTHREAD_MUTEX_INITIALIZER;

static struct past *past;
static size_t past_count;
static const struct op *running;                              /* the launch that runs now */
static pthread_mutex_t past_lock = PTHREAD_MUTEX_INITIALIZER; /* the host reads, too */

static struct {
  uint32_t first;
  uint64_t block;
} * blocks_run[WORKERS_MAX];
static size_t blocks_count[WORKERS_MAX], blocks_room[WORKERS_MAX];

struct released {
  uintptr_t address;
  unsigned launch; /* entries of earlier launches count as free */
  uint32_t at[WORKERS_MAX];
};
static struct released *released;
static bool released_any;
static pthread_mutex_t released_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---------------------------------------------------------------------------------------------- operations
 */

static void restart_ids(void) {
  shadow_forget();
  next_id = FIRST_ID;
  pthread_mutex_lock(&past_lock);
  past_count = 0;
  pthread_mutex_unlock(&past_lock);
  generation++;
}

/* The first id of an older operation that does not come before op; `mine` when there is none. */
static uint32_t safe_id(const struct op *op, uint32_t mine) {
  for (size_t i = 0; i < past_count; i++)
    if (clock_get(&op->clock, past[i].slot) < past[i].seq) return past[i].first;
  return mine;
}

static struct past describe(const struct op *op, uint32_t first, uint32_t last) {
  struct past p = {.first = first,
                   .last = last,
                   .slot = op->stream->slot,
                   .seq = op->seq,
                   .stream = op->stream->id,
                   .site = op->site};
  snprintf(p.name, sizeof p.name, "%s", op->call);
  if (op->launch) {
    snprintf(p.file, sizeof p.file, "%s", op->launch->file);
    p.line = op->launch->line;
  }
  return p;
}

static void remember(const struct op *op, uint32_t first, uint32_t last) {
  pthread_mutex_lock(&past_lock);
  if (!past) past = needed(malloc(PAST_MAX * sizeof *past));
  if (past_count == PAST_MAX) { /* a very long queue: races with the oldest half are no longer found */
    past_count /= 2;
    memmove(past, past + past_count, past_count * sizeof *past);
  }
  past[past_count++] = describe(op, first, last);
  pthread_mutex_unlock(&past_lock);
}

/* The host has seen all that ran: nothing later can overlap it. */
void order_prune(void) {
  size_t i = 0;
  if (cucc.pending) return;
  pthread_mutex_lock(&past_lock);
  while (i < past_count && clock_get(&cucc.host, past[i].slot) >= past[i].seq) i++;
  if (i == past_count) {
    past_count = 0;
    beside_all_waited();
  }
  pthread_mutex_unlock(&past_lock);
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

bool order_behind(uint32_t record, struct past *found) {
  if (ID(record) < FIRST_ID || BY_HOST(record)) return false;
  pthread_mutex_lock(&cucc.lock);
  pthread_mutex_lock(&past_lock);
  const struct past *p = past_of(record);
  bool known = p != NULL;
  if (p)
    *found = *p;
  else if ((known = running && ID(record) >= launch_first))
    *found = describe(running, launch_first, launch_first);
  pthread_mutex_unlock(&past_lock);
  const bool unseen = known && clock_get(&cucc.host, found->slot) < found->seq;
  pthread_mutex_unlock(&cucc.lock);
  return unseen;
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
  next_id = launch_first = ROUND_UP(next_id);
  launch_safe = safe_id(op, launch_first);
  pthread_mutex_lock(&past_lock);
  running = op;
  pthread_mutex_unlock(&past_lock);
  round = 0;
  grid_first = 0;
  launches++;
  workers = 0;
  released_any = false;
  memset(blocks_count, 0, sizeof blocks_count);
}

void check_launch_end(const struct op *op) {
  remember(op, launch_first, next_id);
  next_id++;
  pthread_mutex_lock(&past_lock);
  running = NULL;
  pthread_mutex_unlock(&past_lock);
  if (round) restart_ids();
}

/* ---------------------------------------------------------------------------------------------- workers */

static void take_portion(const struct worker *w) {
  struct lane *l = &lane;
  l->next_id = __atomic_fetch_add(&next_id, PORTION, __ATOMIC_RELAXED);
  l->ids_end = l->next_id + PORTION;
  __atomic_store_n(&owner[l->next_id / PORTION], (uint16_t)w->index, __ATOMIC_RELAXED);
}

static uint32_t take_id(const struct worker *w) {
  if (lane.next_id == lane.ids_end) take_portion(w);
  return lane.next_id++;
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

static int owner_of(uint32_t record) {
  return __atomic_load_n(&owner[ID(record) / PORTION], __ATOMIC_RELAXED);
}

/* What happened in this launch before id `first` comes before all that this worker does from now on. */
static void begin_epoch(struct lane *l, uint32_t first) {
  if (l->safe == l->launch) l->safe = RECORD(first);
  l->launch = RECORD(first);
  l->old_span = l->safe - OLD;
  l->many_blocks = l->launch | MANY_BLOCKS;
}

void check_worker_begin(struct worker *w) {
  struct lane *l = &lane;
  static __thread unsigned seen;
  if (!l->acquired) {
    l->acquired = needed(calloc(WORKERS_MAX, sizeof *l->acquired));
    l->shared = shared_region();
  }
  if (seen != generation)
    memset(l->shared.cells, 0, l->shared.size * 2), memset(l->shared.bytes, 0, l->shared.size * 8);
  seen = generation;
  l->race = checking(TOOL_RACE);
  l->init = checking(TOOL_INIT);
  l->profile = profile_worker_begin(); /* then every access takes the slow way */
  /* with several devices each access must be seen: whose memory is it */
  l->arena_size = l->profile || options()->devices > 1 ? 0 : ARENA_SIZE;
  l->shared_window = l->profile ? 0 : l->shared.size;
  l->next_id = l->ids_end = 0;
  l->round = __atomic_load_n(&round, __ATOMIC_RELAXED);
  l->launch = RECORD(launch_first);
  l->safe = RECORD(launch_safe);
  begin_epoch(l, launch_first);
  l->known = l->known_end = 0;
  l->ordered_first = 1, l->ordered_last = 0;
  l->pending.size = 0;
  int most = __atomic_load_n(&workers, __ATOMIC_RELAXED);
  while (w->index >= most && !__atomic_compare_exchange_n(&workers, &most, w->index + 1, true,
                                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void check_worker_end(struct worker *w) {
  struct lane *l = &lane;
  (void)w;
  if (l->unwritten_count) judge_unwritten();
  if (l->profile) profile_worker_end();
  l->arena_size = l->shared_window = l->stack_size = 0;
}

/* The worker's thread ends. */
void check_worker_leaves(void) {
  struct lane *l = &lane;
  free(l->acquired);
  if (l->shared.cells) shared_free(&l->shared);
  l->acquired = NULL;
}

/* Ids have run out in the middle of a launch: forget what was accessed when, everywhere, and begin again with
 * the launch's first. What other workers stamp meanwhile may hide a race; it cannot make one up. */
static void begin_again(struct worker *w) {
  struct lane *l = &lane;
  pthread_mutex_lock(&ids_lock);
  if (l->round == round) {
    __atomic_store_n(&next_id, launch_first, __ATOMIC_RELAXED);
    __atomic_store_n(&round, round + 1, __ATOMIC_RELAXED);
  }
  l->round = round;
  pthread_mutex_unlock(&ids_lock);
  shadow_forget();
  take_portion(w);
  const uint32_t block = take_id(w);
  for (size_t i = 0; i < 5 * l->shared.size / 4; i++) { /* split cells come behind the whole ones */
    struct cell *c = i < l->shared.size / 4 ? &l->shared.cells[i] : &l->shared.bytes[i - l->shared.size / 4];
    c->write = c->write == SPLIT ? SPLIT : c->write >= l->block ? RECORD(block) : NOTHING;
    c->read = 0;
  }
  l->block = RECORD(block);
  begin_epoch(l, launch_first);
  blocks_count[w->index] = 0;
}

static bool ids_ran_out(const struct lane *l) {
  return l->next_id == l->ids_end && (__atomic_load_n(&next_id, __ATOMIC_RELAXED) > ID_MAX ||
                                      __atomic_load_n(&round, __ATOMIC_RELAXED) != l->round);
}

static void new_stretch(struct worker *w) {
  struct lane *l = &lane;
  const uint32_t id = take_id(w);
  for (int i = 0; i * 32 < w->count; i++) w->warps[i].id = id;
  l->phase = RECORD(id);
  l->phase_span = l->phase - l->block;
  l->many_block = l->phase | MANY_IN_BLOCK;
}

void check_block_begins(struct worker *w) {
  struct lane *l = &lane;
  const int k = w->index;
  if (UNLIKELY(l->profile)) profile_block_begins(w);
  if (UNLIKELY(l->unwritten_count)) judge_unwritten();
  arriving_block_begins(w);
  if (UNLIKELY(ids_ran_out(l))) begin_again(w);
  new_stretch(w);
  l->block = l->phase;
  l->phase_span = 0;
  if (blocks_count[k] == blocks_room[k]) {
    blocks_room[k] = blocks_room[k] ? 2 * blocks_room[k] : 256;
    blocks_run[k] = needed(realloc(blocks_run[k], blocks_room[k] * sizeof *blocks_run[k]));
  }
  blocks_run[k][blocks_count[k]].first = ID(l->block);
  blocks_run[k][blocks_count[k]++].block = w->block;
  if (l->acquired_any) memset(l->acquired, 0, WORKERS_MAX * sizeof *l->acquired);
  l->acquired_any = false;
  l->fenced = FENCE_NONE;
}

void order_barrier(struct worker *w) {
  if (UNLIKELY(lane.unwritten_count)) judge_unwritten();
  if (UNLIKELY(ids_ran_out(&lane))) begin_again(w);
  new_stretch(w);
}

/* All blocks have come to the synchronisation of the grid, and none has gone on. */
void check_grid_met(void) { grid_first = __atomic_fetch_add(&next_id, PORTION, __ATOMIC_RELAXED); }

/* The running block goes on from it. */
void check_grid_passed(struct worker *w) {
  struct lane *l = &lane;
  l->next_id = l->ids_end; /* the rest of its portion is smaller than the id of the synchronisation */
  if (UNLIKELY(ids_ran_out(l)))
    begin_again(w);
  else
    begin_epoch(l, grid_first);
  new_stretch(w);
}

void check_warp_acquired(struct worker *w, int warp, uint32_t group) {
  order_settle();
  struct thread *first = &w->threads[warp * 32];
  uint32_t acquired = 0;
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) acquired = larger(acquired, first[i].acquired);
  for (int i = 0; acquired && i < 32; i++)
    if (group >> i & 1) first[i].acquired = acquired;
}

void check_warp_synchronised(struct worker *w, struct warp *warp) {
  if (UNLIKELY(ids_ran_out(&lane))) {
    begin_again(w);
    new_stretch(w);
  }
  warp->id = take_id(w);
}

void order_settle(void) {
  struct lane *l = &lane;
  if (l->pending.size) judge_pending();
  if (l->volatile_read) {
    order_acquire(l, l->volatile_read);
    l->volatile_read = 0;
  }
}

/* ---------------------------------------------------------------------------------------------- relations */

/* Stamped by this worker; of this block when it is not smaller than lane.block. */
bool order_mine(uint32_t record) { return owner_of(record) == cucc_worker->index; }

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

/* An access of another worker, in this launch and since the last synchronisation of the grid. */
static enum relation relation_to_block(const struct lane *l, uint32_t record) {
  const unsigned now = __atomic_load_n(&round, __ATOMIC_RELAXED);
  if (UNLIKELY(now) && (now != l->round || grid_first >= launch_first)) return IN_ORDER; /* who knows */
  return l->acquired_any && ID(record) <= l->acquired[owner_of(record)] ? IN_ORDER : OTHER_BLOCK;
}

enum relation relation_of(struct lane *l, uint32_t record, bool read) {
  if (record < l->safe) return IN_ORDER;
  if (UNLIKELY(BY_HOST(record)))
    return beside_in_order(cucc_worker->launch->op, record) ? IN_ORDER : THE_HOST;
  if (record < l->launch) return operation_in_order(l, record) ? IN_ORDER : OTHER_OPERATION;
  if (read && (record & ~2u) == l->many_blocks) return l->acquired_any ? IN_ORDER : OTHER_BLOCK;
  if (record < l->block || !order_mine(record)) return relation_to_block(l, record);
  const struct worker *w = cucc_worker;
  if (record < l->phase || ID(record) <= w->threads[w->current].acquired) return IN_ORDER;
  const bool several = read && (record & FLAG);
  if ((several ? WHO(record) : WHO(record) / 32) != (uint32_t)(WHO(l->me) / 32)) return SAME_BLOCK;
  if (ID(record) < ID(l->me) || (!several && WHO(record) == WHO(l->me))) return IN_ORDER;
  return SAME_WARP;
}

uint64_t block_of(uint32_t record) {
  const int k = owner_of(record);
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

void check_fence(struct worker *w, enum fence fence) {
  (void)w;
  if (fence > lane.fenced) lane.fenced = fence;
}

/* The entry of an address, or a free place for it; with the lock held. A full table forgets: races may be
 * missed. */
static struct released *entry_of(uintptr_t address) {
  if (!released) released = needed(calloc(SYNC_SIZE, sizeof *released));
  size_t i = (address >> 2) * 0x9e3779b1u % SYNC_SIZE;
  for (int tries = 0; tries < 16 && released[i].launch == launches && released[i].address != address; tries++)
    i = (i + 1) % SYNC_SIZE;
  return &released[i];
}

void order_release(struct lane *l, uintptr_t address, enum fence fence) {
  struct worker *w = cucc_worker;
  const bool shared = address - l->shared.base < l->shared.size;
  if (!w || (fence < l->fenced ? l->fenced : fence) < (shared ? FENCE_BLOCK : FENCE_GRID)) return;
  /* what this thread acquired from others of its block is passed on */
  const uint32_t mine = larger(ID(l->me), w->threads[w->current].acquired);
  pthread_mutex_lock(&released_lock);
  struct released *r = entry_of(address);
  if (r->address != address || r->launch != launches) memset(r, 0, sizeof *r);
  r->address = address;
  r->launch = launches;
  for (int k = 0; k < workers; k++) r->at[k] = larger(r->at[k], l->acquired[k]);
  r->at[w->index] = larger(r->at[w->index], mine);
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
  if (r->address == address && r->launch == launches) {
    uint32_t *mine = &w->threads[w->current].acquired;
    for (int k = 0; k < workers; k++) l->acquired[k] = larger(l->acquired[k], r->at[k]);
    l->acquired_any = true;
    *mine = larger(*mine, r->at[w->index]);
  }
  pthread_mutex_unlock(&released_lock);
}

#endif
