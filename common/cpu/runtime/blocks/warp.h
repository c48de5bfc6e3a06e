#ifndef CUCC_BLOCKS_WARP_H
#define CUCC_BLOCKS_WARP_H

#include "base/base.h"
#include "state/worker.h"

/* No thread can go on: answers those that wait in __activemask; false when there are none. */
bool warps_answer(struct worker *w);
void warp_lane_missed(struct worker *w, int thread);
static inline void warp_lane_ended(struct worker *w, int thread) {
  struct warp *warp = &w->warps[(unsigned)thread / 32];
  warp->lanes &= ~(1u << ((unsigned)thread % 32));
  if (UNLIKELY(warp->waiting)) warp_lane_missed(w, thread);
}
bool warp_complete(struct worker *w, int warp_index, int lane, int self);

#endif
