#ifndef CUCC_BLOCKS_GRID_H
#define CUCC_BLOCKS_GRID_H

#include "base/base.h"

struct launch;
struct worker;

/* Stops the launch with an error: no further block starts. */
void launch_stop(struct launch *launch, cudaError_t error);
void grid_begin(const struct launch *launch);
/* False when they can never all come. */
bool grid_meet(struct worker *w);
void grid_block_ended(void);
/* The launch was stopped: no block waits any longer. */
void grid_stop(void);

#endif
