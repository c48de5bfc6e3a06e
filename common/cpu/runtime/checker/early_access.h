#ifndef CUCC_CHECKER_EARLY_ACCESS_H
#define CUCC_CHECKER_EARLY_ACCESS_H

#include "base/base.h"

#define EARLY_ACCESS_CAUSE                                                                                   \
  "a missing cudaDeviceSynchronize (cudaStreamSynchronize, cudaEventSynchronize) between the launch and "    \
  "the access by the host"
/* The host touches pinned or managed memory. */
void early_access(uintptr_t address, size_t size, unsigned access, uintptr_t pc);

#endif
