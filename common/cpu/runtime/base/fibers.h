#ifndef CUCC_BASE_FIBERS_H
#define CUCC_BASE_FIBERS_H

#include "base/base.h"
#include "base/switch.h"

struct fiber {
  struct context context;
  uintptr_t low, high; /* its stack */
  struct fiber *next_free;
};

#define FIBER_GUARD ((size_t)64 << 10) /* inaccessible, below each stack */

/* Stacks. A worker keeps those it was given in its list until it leaves; NULL: no memory. Trimming gives
 * the memory back; only the engine's thread does, between kernels. */
struct fiber *fiber_take(struct fiber **free_fibers);
void fiber_give(struct fiber **free_fibers, struct fiber *f);
void fibers_give_back(struct fiber **free_fibers);
void fibers_trim(void);

#endif
