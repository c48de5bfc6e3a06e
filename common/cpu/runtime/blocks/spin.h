#ifndef CUCC_BLOCKS_SPIN_H
#define CUCC_BLOCKS_SPIN_H

#include "base/base.h"
#include "state/worker.h"

/* Lets the block's other threads run, then goes on. */
void block_yield(struct worker *w);
/* Lets other threads of the block run once. If there are none, pauses briefly, so that other blocks run. */
void block_let_others(struct worker *w);
void cucc_spin(void);
static inline void block_count_patience(void) {
  if (UNLIKELY(--cucc_patience < 0)) cucc_spin();
}

#endif
