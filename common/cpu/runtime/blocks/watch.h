#ifndef CUCC_BLOCKS_WATCH_H
#define CUCC_BLOCKS_WATCH_H

#include "base/base.h"

struct launch;

/* Around a launch: it is watched. */
void watch_begin(struct launch *launch);
void watch_end(void);

#endif
