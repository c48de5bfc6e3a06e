/* The functions by which the lanes of a warp meet (warp.c answers them), and fences. */
#include "base/base.h"

#include "base/switch.h"
#include "state/worker.h"
#include "checker/fences.h"
#include "checker/sync.h"
#include "checker/thread_state.h"
#include "checker/turn.h"
#include "blocks/block.h"
#include "blocks/warp.h"

enum reduction { ADD, MIN, MAX, MIN_SIGNED, MAX_SIGNED, AND, OR, XOR };

void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);

static inline struct warp *running_warp(struct worker *w) {
  block_settle(w);
  if (UNLIKELY(!w->warps_meet)) warps_begin(w);
  return &w->warps[w->current / 32];
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
  if (warp_complete(w, index, lane, lane))
    check_thread_resumes(w);
  else
    block_wait(w, AT_WARP, site);
  return &warp->request[lane];
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

static SWITCHED void cucc_tile_at(const struct tile *tile, uintptr_t site) {
  meet((struct request){.mask = UINT32_MAX, .whole = true, .tile = tile}, site);
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

SWITCHING(void, __syncwarp, (unsigned mask), (mask, CALLER), "rsi")
SWITCHING(unsigned, __activemask, (void), (CALLER), "rdi")
SWITCHING(unsigned, __ballot_sync, (unsigned mask, int predicate), (mask, predicate, CALLER), "rdx")
SWITCHING(void, cucc_shuffle, (unsigned mask, void *value, size_t size, int source),
          (mask, value, size, source, CALLER), "r8")
SWITCHING(unsigned, cucc_match, (unsigned mask, unsigned long long value, int *all),
          (mask, value, all, CALLER), "rcx")
SWITCHING(unsigned, cucc_reduce, (unsigned mask, unsigned value, enum reduction how),
          (mask, value, how, CALLER), "rcx")

SWITCHING(void, cucc_tile, (const struct tile *tile), (tile, CALLER), "rsi")

static void fence(enum fence kind) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  check_fence(cucc_worker, kind);
}

void __threadfence_block(void) { fence(FENCE_BLOCK); }

void __threadfence(void) { fence(FENCE_GRID); }

void __threadfence_system(void) { __threadfence(); }
