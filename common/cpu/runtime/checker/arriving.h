#ifndef CUCC_CHECKER_ARRIVING_H
#define CUCC_CHECKER_ARRIVING_H

#include "base/base.h"

struct worker;

struct arriving_copy {
  uintptr_t to, pc;
  size_t size;
  uint32_t batch; /* counted by the thread's commits */
};

/* What a thread of the running block has started and not waited for, oldest first. */
struct started {
  struct arriving_copy *items;
  size_t count, capacity;
  uint32_t committed;
};

/* Whether a copy is under way to an address of this block's shared memory. */
bool arriving_at(uintptr_t address);
void arriving_block_begins(const struct worker *w);
struct started *arriving_of_thread(void);
bool arriving_untouched(const struct arriving_copy *c);
void arriving_enter_writes(const struct arriving_copy *c, uint32_t write);

#endif
