/* memory.h: cache_create where there is no memory. */
#ifndef MEMORY_H
#define MEMORY_H

#include "jit.h"

#ifdef __cplusplus
extern "C" {
#endif

/* On the CPU backend: complains unless cache_create returns NULL whichever of its allocations is the first to
 * find no memory. */
void judge_no_memory(build_function *build);

#ifdef __cplusplus
}
#endif
#endif
