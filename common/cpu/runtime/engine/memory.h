#ifndef CUCC_ENGINE_MEMORY_H
#define CUCC_ENGINE_MEMORY_H

#include "base/base.h"

struct allocation;

/* A call that allocates: size, space, flags, call and site are given, the rest is filled in. */
cudaError_t memory_allocate(struct allocation *a, void **pointer);

#endif
