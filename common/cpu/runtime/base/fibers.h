#ifndef CUCC_BASE_FIBERS_H
#define CUCC_BASE_FIBERS_H

#include "base/base.h"
#include "base/page.h"
#include "base/switch.h"

struct fiber {
  struct context context;
  uintptr_t low, high; /* its stack */
  struct fiber *next_free;
};

/* Inaccessible, below each stack: 64 KiB, or four pages where they are larger. */
#define FIBER_GUARD (WB_PAGE > 16384 ? 4 * WB_PAGE : (size_t)64 << 10)

/* Stacks. A worker keeps those it was given in its list until it leaves; NULL: no memory. Trimming gives
 * the memory back; only the engine's thread does, between kernels. */
struct fiber *fiber_take(struct fiber **free_fibers);
void fiber_give(struct fiber **free_fibers, struct fiber *f);
void fibers_give_back(struct fiber **free_fibers);
void fibers_trim(void);

#endif
