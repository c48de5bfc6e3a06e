/*
 * Warps: __syncwarp, votes, shuffles, matches and reductions.
 *
 * A lane leaves its request and waits; the last one of the group named in the mask serves all, writing each
 * answer to where the lane wants it (fibers share one address space), and makes them ready. Lanes that have
 * ended, or that the block does not have, are not waited for.
 *
 * __activemask names no lanes: it asks which lanes are active. Its lanes wait until no thread of the block
 * can go on without an answer; then those that wait at the same call are "here together". So a branch's lanes
 * find each other, as on a device that runs diverged lanes at the same time, and the answer is always the
 * same.
 */
#include "blocks/warp.h"

#include <string.h>

#include "state/worker.h"
#include "checker/epochs.h"
#include "checker/fences.h"
#include "checker/sync.h"
#include "blocks/tile.h"

#define UNUSED 32 /* with the source of a shuffle: its answer need not be used (warp.h) */

/* The value is undefined. A lane that the mask names should be there: the asker keeps its own value, as on many
 * devices. Who leaves it out may know that he does not use the value: he gets one that shows if he does. */
static void answer_without_source(struct worker *w, struct request *r, int thread) {
  const bool named = r->mask >> (r->source & 31) & 1;
  check_absent_lane(w, thread, r->source & 31, named);
  if (!named) memset(r->value, 0xff, r->size);
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
      else if (!(r->source & UNUSED))
        answer_without_source(w, r, index * 32 + i);
    }
}

/* The warp's product of matrices, which needs every lane. */
static void serve_tile(struct worker *w, int index, uint32_t group) {
  const struct warp *warp = &w->warps[index];
  const struct request *first = &warp->request[__builtin_ctz(group)];
  const struct tile *lanes[32];
  if (!first->whole) return;
  if (group != UINT32_MAX) {
    check_partial_tile(w, index * 32 + __builtin_ctz(group), group);
    return;
  }
  for (int i = 0; i < 32; i++) lanes[i] = warp->request[i].tile;
  if (first->tile) tile_multiply(lanes);
}

/* Serves the group of `lane` when all of it waits, and makes it ready, except `self`. */
bool warp_complete(struct worker *w, int warp_index, int lane, int self) {
  struct warp *warp = &w->warps[warp_index];
  const uint32_t mask = warp->request[lane].mask, group = mask & warp->lanes;
  if ((warp->waiting & group) != group) return false;
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && warp->request[i].mask != mask) return false;
  serve(w, warp_index, group);
  serve_tile(w, warp_index, group);
  warp->waiting &= ~group;
  check_warp_met(w, warp_index, group);
  check_warp_acquired(w, warp_index, group);
  check_warp_synchronised(w, warp);
  for (int i = 0; i < 32; i++)
    if ((group >> i & 1) && i != self) block_make_ready(w, warp_index * 32 + i);
  return true;
}

/* A lane has ended: was it the last one that others waited for? */
void warp_lane_missed(struct worker *w, int thread) {
  struct warp *warp = &w->warps[thread / 32];
  for (int i = 0; warp->waiting && i < 32; i++)
    if (warp->waiting >> i & 1) warp_complete(w, thread / 32, i, -1);
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
