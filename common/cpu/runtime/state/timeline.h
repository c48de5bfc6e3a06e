#ifndef CUCC_STATE_TIMELINE_H
#define CUCC_STATE_TIMELINE_H

#include "base/base.h"

struct op;

/* Models the operation: reads and advances op->clock.us. With cucc.lock held. */
void timeline_add(struct op *op);

void timeline_reset(void);

#endif
