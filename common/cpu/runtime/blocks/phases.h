#ifndef CUCC_BLOCKS_PHASES_H
#define CUCC_BLOCKS_PHASES_H

#include "base/base.h"

struct worker;

/* A phase of a barrier in shared memory has ended: those that wait for it may go on. */
void phases_wake(struct worker *w, const uint64_t *object);
/* No thread can go on. Is there one that waits where all have arrived, so that only copies in the background
 * are missing? It goes on, and takes them for arrived. */
bool phases_settle(struct worker *w);

#endif
