#ifndef CUCC_BASE_NEEDED_H
#define CUCC_BASE_NEEDED_H

#include "base/base.h"

/* Takes what malloc, realloc or strdup gave, and gives it back; where it is NULL the program ends, and says
 * so. For records whose absence cannot be told to the caller. */
void *needed(void *memory) __attribute__((returns_nonnull));

#endif
