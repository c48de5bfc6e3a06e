#ifndef CUCC_BLOCKS_BLOCK_H
#define CUCC_BLOCKS_BLOCK_H

#include "base/base.h"
#include "base/switch.h"
#include "state/sanitize.h"
#include "state/worker.h"

void block_run(struct worker *w, uint64_t block);
/* Parks the running thread and runs another; returns when it may go on. */
void block_wait(struct worker *w, enum wait wait, uintptr_t site);
/* Ends the running thread in the middle of the kernel. */
void block_abandon(struct worker *w) __attribute__((noreturn));

/* Leaves the running context, which is kept at *save, for `to`. */
static inline void block_jump(struct worker *w, struct context *save, const struct context *to) {
  void *kept = NULL;
  stack_left(w, &kept, to);
  const struct context *const left = context_switch(save, to);
  stack_entered(w, kept, left);
}
bool block_begin_fresh(struct worker *w);
struct context *block_choose(struct worker *w);

#endif
