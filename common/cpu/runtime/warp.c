/*
 * Warps: __syncwarp, votes and shuffles.
 *
 * A lane leaves its request and waits; the last one of the group named in the mask serves all, writing each
 * answer to where the lane wants it (fibers share one address space), and makes them ready. Lanes that have
 * ended, or that the block does not have, are not waited for.
 */
#include "block.h"

#include <string.h>

#include "check.h"

void __syncwarp(unsigned mask);
unsigned __activemask(void);
unsigned __ballot_sync(unsigned mask, int predicate);
void cucc_shuffle(unsigned mask, void *value, size_t size, int source);
void __threadfence_block(void);
void __threadfence(void);
void __threadfence_system(void);
void __trap(void) __attribute__((noreturn));

void warps_begin(struct worker *w) {
  for (int i = 0; i * 32 < w->count; i++) {
    const int lanes = w->count - i * 32;
    w->warps[i].lanes = lanes >= 32 ? 0xffffffffu : (1u << lanes) - 1;
    w->warps[i].waiting = 0;
  }
}

static void serve(struct worker *w, int index, uint32_t group) {
  struct warp *warp = &w->warps[index];
  unsigned char values[32][16];
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
      if (!r->size) continue;
      if (group >> (r->source & 31) & 1)
        memcpy(r->value, values[r->source & 31], r->size);
      else /* it keeps its own value */
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
  check_warp_synchronised(w, warp);
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && i != self) block_make_ready(w, warp_index * 32 + i);
  return true;
}

static struct request *meet(struct request mine, uintptr_t site) {
  struct worker *w = cucc_worker;
  const int index = w->current / 32, lane = w->current % 32;
  struct warp *warp = &w->warps[index];
  w->threads[w->current].site = site;
  if (!(mine.mask >> lane & 1)) check_unnamed_lane(w, mine.mask);
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

void __syncwarp(unsigned mask) { meet((struct request){.mask = mask}, CALLER); }

unsigned __ballot_sync(unsigned mask, int predicate) {
  return meet((struct request){.mask = mask, .predicate = predicate != 0}, CALLER)->ballot & mask;
}

void cucc_shuffle(unsigned mask, void *value, size_t size, int source) {
  meet((struct request){.mask = mask, .value = value, .size = size, .source = source}, CALLER);
}

/* The lanes that have not ended: on the device, those that happen to run together. */
unsigned __activemask(void) { return cucc_worker->warps[cucc_worker->current / 32].lanes; }

void __threadfence_block(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

void __threadfence(void) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  check_fence(cucc_worker);
}

void __threadfence_system(void) { __threadfence(); }

void __trap(void) {
  launch_stop(cucc_worker->launch, cudaErrorLaunchFailure);
  block_abandon(cucc_worker);
}
