#ifndef CUCC_BLOCKS_OVERDUE_H
#define CUCC_BLOCKS_OVERDUE_H

#include "base/base.h"

struct launch;

/* A worker was interrupted at an instruction: called by the signal's handler. */
void overdue_interrupt(uintptr_t pc);
void overdue_stop(struct launch *l, uintptr_t pc);

#endif
