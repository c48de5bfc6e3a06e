/* worker/faults.h: in the worker, notes a fault in the pages around the arrays (model/arena.h), or after memory of
 * CUDA, before the process dies of it. */
#ifndef WB_FAULTS_H
#define WB_FAULTS_H

#include "worker/protocol.h"

void wb_faults_watch(const wb_arena *arena, wb_channel *channel);

#endif
