#ifndef CUCC_CHECKER_PENDING_H
#define CUCC_CHECKER_PENDING_H

#include "base/base.h"

void judge_pending(void);
/* A barrier or the end of a block: reports the reads of unwritten shared memory since the last one. */
void judge_unwritten(void);

#endif
