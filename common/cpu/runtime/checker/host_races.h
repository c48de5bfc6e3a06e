#ifndef CUCC_CHECKER_HOST_RACES_H
#define CUCC_CHECKER_HOST_RACES_H

#include "base/base.h"

#define HOST_RACE_CAUSE                                                                                      \
  "a missing cudaDeviceSynchronize (cudaStreamSynchronize, cudaEventSynchronize) between the launch and "    \
  "what the host does with its memory"
/* The host touches pinned or managed memory. */
void host_races_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc);

#endif
