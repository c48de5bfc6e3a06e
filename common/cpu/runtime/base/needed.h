#ifndef CUCC_BASE_NEEDED_H
#define CUCC_BASE_NEEDED_H

#include "base/base.h"

/* Takes what malloc, realloc or strdup gave, and gives it back; where it is NULL the program ends, and says
 * so. For records whose absence cannot be reported to the caller as an error. */
void *needed(void *memory) __attribute__((returns_nonnull));

#endif
