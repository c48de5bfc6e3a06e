#ifndef CUCC_CHECKER_RELATION_H
#define CUCC_CHECKER_RELATION_H

#include "base/base.h"

struct thread_state;

enum relation { IN_ORDER, SAME_WARP, SAME_BLOCK, OTHER_BLOCK, OTHER_OPERATION, THE_HOST };
enum relation relation_of(struct thread_state *l, uint32_t record, bool read);
/* The record was stamped by the running worker; of its block when not smaller than thread_state.block. */
bool ids_mine(uint32_t record);

#endif
