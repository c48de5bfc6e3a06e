#ifndef CUCC_STATE_TIMELINE_H
#define CUCC_STATE_TIMELINE_H

#include "base/base.h"

struct op;

/* Models the operation: reads and advances op->clock.us. With cucc.lock held. */
void timeline_add(struct op *op);

/* Whether a copy from the device of this kernel to another one runs at the same time, for half of its own
 * time or longer. Few large copies, which deal out the work, do not count. */
bool timeline_beside_copies(const struct op *op);

void timeline_reset(void);

/* The return addresses of the calls that made its operations, up to `most`. Returns how many operations it has.
 * To be called when nothing runs. */
size_t timeline_sites(uintptr_t *sites, size_t most);

#endif
