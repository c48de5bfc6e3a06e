#ifndef CUCC_BLOCKS_SPIN_H
#define CUCC_BLOCKS_SPIN_H

#include "base/base.h"
#include "state/worker.h"

/* Lets the block's other threads run, then goes on. */
void block_yield(struct worker *w);
/* The same where no thread waits: once, and where the block has no other thread, it pauses for other blocks. */
void block_let_others(struct worker *w);
void cucc_spin(void);
static inline void block_count_patience(void) {
  if (UNLIKELY(--cucc_patience < 0)) cucc_spin();
}

#endif
