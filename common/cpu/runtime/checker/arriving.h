#ifndef CUCC_CHECKER_ARRIVING_H
#define CUCC_CHECKER_ARRIVING_H

#include "base/base.h"

struct worker;

struct arriving_copy {
  uintptr_t to, pc;
  size_t size;
  uint32_t batch;   /* counted by the thread's commits */
  uintptr_t object; /* the barrier in memory with whose phase it arrives; 0: it is waited for by batches */
  uint32_t record;  /* of the thread that started it */
};

/* What a thread of the running block has started and not waited for, oldest first. */
struct started {
  struct arriving_copy *items;
  size_t count, capacity;
  uint32_t committed;
};

/* The copy that is under way to an address of this block's shared memory; NULL: none is. */
const struct arriving_copy *arriving_at(uintptr_t address);
void arriving_block_begins(const struct worker *w);
struct started *arriving_of_thread(void); /* the running one */
/* NULL: no thread of this worker has started any. */
struct started *arriving_of(const struct worker *w, int thread);
/* Nothing was written there since the copy was started; nor was anything read. */
bool arriving_unwritten(const struct arriving_copy *c);
bool arriving_untouched(const struct arriving_copy *c);
void arriving_enter_writes(const struct arriving_copy *c, uint32_t write);

#endif
