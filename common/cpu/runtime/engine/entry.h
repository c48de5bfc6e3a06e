#ifndef CUCC_ENGINE_ENTRY_H
#define CUCC_ENGINE_ENTRY_H

#include "base/base.h"

/* Entry of every runtime call: reads options, refuses after a fork, gives the sticky error, injects
 * CUCC_FAIL. */
cudaError_t cucc_enter(const char *call);

#endif
