#ifndef CUCC_BLOCKS_RUN_H
#define CUCC_BLOCKS_RUN_H

#include "base/base.h"

struct launch;

/* Runs all blocks of a launch on the workers; returns when they are done. */
void pool_run(struct launch *launch);

#endif
