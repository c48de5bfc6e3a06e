#ifndef CUCC_BLOCKS_POOL_H
#define CUCC_BLOCKS_POOL_H

#include "base/base.h"

struct launch;
struct worker;

/* Makes the first worker; false when there is no memory. */
bool pool_ready(void);
/* The part of pool_run in which the workers run the blocks. */
void pool_work(struct launch *l);
/* The running block waits for something outside of it: lets the processor go for a moment, and when that
 * lasts, has further blocks run at the same time. */
void pool_spin(struct worker *w);

/* Interrupts all workers that run blocks; how many blocks have ended. */
void pool_interrupt(void);
uint64_t pool_progress(void);

#endif
