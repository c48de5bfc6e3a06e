/*
 * Warps: __syncwarp, votes, shuffles, matches and reductions.
 *
 * A lane leaves its request and waits; the last one of the group named in the mask serves all, writing each
 * answer to where the lane wants it (fibers share one address space), and makes them ready. Lanes that have
 * ended, or that the block does not have, are not waited for.
 *
 * __activemask names no lanes: it asks who is here. Its lanes wait until no thread of the block can go on
 * without an answer; then those that wait at the same call are "here together". So a branch's lanes find each
 * other, as on a device that lets diverged lanes run side by side, and the answer is always the same.
 */
#include "block.h"

#include <string.h>

#include "check.h"
#include "turn.h"

#define UNUSED 32 /* with the source of a shuffle: its answer need not be used (warp.h) */

enum reduction { ADD, MIN, MAX, MIN_SIGNED, MAX_SIGNED, AND, OR, XOR };

void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);

/* The first such call of a block: which lanes are there? Until then nobody keeps account. */
void warps_begin(struct worker *w) {
  w->warps_meet = true;
  for (int i = 0; i * 32 < w->count; i++) {
    const int lanes = w->count - i * 32;
    w->warps[i].lanes = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
    w->warps[i].waiting = w->warps[i].asking = 0;
  }
  for (int n = 0; n < w->started; n++) {
    const int thread = thread_at(w, n);
    if (w->threads[thread].wait == ENDED) w->warps[thread / 32].lanes &= ~(1u << thread % 32);
  }
}

static inline struct warp *running_warp(struct worker *w) {
  block_settle(w);
  if (UNLIKELY(!w->warps_meet)) warps_begin(w);
  return &w->warps[w->current / 32];
}

/* Each answer is written where its lane looks for it: the requests themselves may be overwritten soon. */
static void serve(struct worker *w, int index, uint32_t group) {
  struct warp *warp = &w->warps[index];
  unsigned char values[32][32];
  uint32_t ballot = 0;
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) {
      const struct request *r = &warp->request[i];
      ballot |= (uint32_t)r->predicate << i;
      if (r->size) memcpy(values[i], r->value, r->size);
    }
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) {
      struct request *r = &warp->request[i];
      r->ballot = ballot;
      if (r->all)
        for (int j = 0; j < 32; j++)
          if (group >> j & 1) r->all[j] = warp->request[j].word;
      if (!r->size) continue;
      if (group >> (r->source & 31) & 1)
        memcpy(r->value, values[r->source & 31], r->size);
      else if (!(r->source & UNUSED)) /* it keeps its own value */
        check_absent_lane(w, index * 32 + i, r->source & 31);
    }
}

/* Serves the group of `lane` when all of it waits, and makes it ready, except `self`. */
static bool complete(struct worker *w, int warp_index, int lane, int self) {
  struct warp *warp = &w->warps[warp_index];
  const uint32_t mask = warp->request[lane].mask, group = mask & warp->lanes;
  if ((warp->waiting & group) != group) return false;
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && warp->request[i].mask != mask) return false;
  serve(w, warp_index, group);
  warp->waiting &= ~group;
  check_warp_met(w, warp_index, group);
  check_warp_acquired(w, warp_index, group);
  check_warp_synchronised(w, warp);
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && i != self) block_make_ready(w, warp_index * 32 + i);
  return true;
}

static struct request *meet(struct request mine, uintptr_t site) {
  struct worker *w = cucc_worker;
  struct warp *warp = running_warp(w);
  const int index = w->current / 32, lane = w->current % 32;
  w->threads[w->current].site = site;
  if (!(mine.mask >> lane & 1)) check_unnamed_lane(w, w->current, mine.mask);
  mine.mask |= 1u << lane;
  warp->request[lane] = mine;
  warp->waiting |= 1u << lane;
  if (complete(w, index, lane, lane))
    check_thread_resumes(w);
  else
    block_wait(w, AT_WARP, site);
  return &warp->request[lane];
}

/* A lane has ended: was it the last one that others waited for? */
void warp_lane_missed(struct worker *w, int thread) {
  struct warp *warp = &w->warps[thread / 32];
  for (int i = 0; warp->waiting && i < 32; i++)
    if (warp->waiting >> i & 1) complete(w, thread / 32, i, -1);
}

static SWITCHED void __syncwarp_at(unsigned mask, uintptr_t site) {
  meet((struct request){.mask = mask}, site);
}

static SWITCHED unsigned __ballot_sync_at(unsigned mask, int predicate, uintptr_t site) {
  return meet((struct request){.mask = mask, .predicate = predicate != 0}, site)->ballot & mask;
}

static SWITCHED void cucc_shuffle_at(unsigned mask, void *value, size_t size, int source, uintptr_t site) {
  meet((struct request){.mask = mask, .value = value, .size = size, .source = source}, site);
}

static SWITCHED unsigned cucc_match_at(unsigned mask, unsigned long long value, int *all, uintptr_t site) {
  uint64_t of[32];
  const struct request mine = {.mask = mask, .predicate = true, .word = value, .all = of};
  const uint32_t group = meet(mine, site)->ballot;
  uint32_t same = 0;
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && of[i] == value) same |= 1u << i;
  *all = same == group;
  return same;
}

static unsigned combine(unsigned a, unsigned b, enum reduction how) {
  switch (how) {
  case ADD:
    return a + b;
  case MIN:
    return b < a ? b : a;
  case MAX:
    return b > a ? b : a;
  case MIN_SIGNED:
    return (int)b < (int)a ? b : a;
  case MAX_SIGNED:
    return (int)b > (int)a ? b : a;
  case AND:
    return a & b;
  case OR:
    return a | b;
  default:
    return a ^ b;
  }
}

static SWITCHED unsigned cucc_reduce_at(unsigned mask, unsigned value, enum reduction how, uintptr_t site) {
  uint64_t of[32];
  const struct request mine = {.mask = mask, .predicate = true, .word = value, .all = of};
  const uint32_t group = meet(mine, site)->ballot;
  const int lane = cucc_worker->current % 32;
  unsigned result = value;
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && i != lane) result = combine(result, (unsigned)of[i], how);
  return result;
}

/* -------------------------------------------------------------------------------------- who is here */

static SWITCHED unsigned __activemask_at(uintptr_t site) {
  struct worker *w = cucc_worker;
  struct warp *warp = running_warp(w);
  const int lane = w->current % 32;
  if (warp->lanes == 1u << lane) return warp->lanes; /* the others have ended */
  warp->asking |= 1u << lane;
  w->asking++;
  block_wait(w, AT_WARP, site);
  return warp->request[lane].ballot;
}

/* Answers the lanes of one warp that wait at the first such call, by its address: the others come later in
 * the program, where these may join them. */
static void answer(struct worker *w, int index) {
  struct warp *warp = &w->warps[index];
  uintptr_t first = UINTPTR_MAX;
  uint32_t group = 0;
  for (int i = 0; i < 32; i++) {
    const uintptr_t site = w->threads[index * 32 + i].site;
    if (!(warp->asking >> i & 1) || site > first) continue;
    group = (site == first ? group : 0) | 1u << i;
    first = site;
  }
  warp->asking &= ~group;
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) {
      warp->request[i].ballot = group;
      w->asking--;
      block_make_ready(w, index * 32 + i);
    }
}

bool warps_answer(struct worker *w) {
  if (!w->asking) return false;
  for (int i = 0; i * 32 < w->count; i++)
    if (w->warps[i].asking) answer(w, i);
  return true;
}

SWITCHING(void, __syncwarp, (unsigned mask), (mask, CALLER), "rsi")
SWITCHING(unsigned, __activemask, (void), (CALLER), "rdi")
SWITCHING(unsigned, __ballot_sync, (unsigned mask, int predicate), (mask, predicate, CALLER), "rdx")
SWITCHING(void, cucc_shuffle, (unsigned mask, void *value, size_t size, int source),
          (mask, value, size, source, CALLER), "r8")
SWITCHING(unsigned, cucc_match, (unsigned mask, unsigned long long value, int *all),
          (mask, value, all, CALLER), "rcx")
SWITCHING(unsigned, cucc_reduce, (unsigned mask, unsigned value, enum reduction how),
          (mask, value, how, CALLER), "rcx")

/* -------------------------------------------------------------------------------------- fences */

static void fence(enum fence kind) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  check_fence(cucc_worker, kind);
}

void __threadfence_block(void) { fence(FENCE_BLOCK); }

void __threadfence(void) { fence(FENCE_GRID); }

void __threadfence_system(void) { __threadfence(); }
