#ifndef CUCC_BASE_KEPT_H
#define CUCC_BASE_KEPT_H

#include "base/base.h"

/* Records that last to the end of the program, in pages of their own: the harness counts the bytes of the heap
 * to find what a learner's function does not free, and these are not the learner's. With cucc.lock held. */

/* `size` bytes of zeros, aligned for any type; never freed. */
void *kept(size_t size) __attribute__((returns_nonnull));

/* The one kept copy of this text: equal texts give the same address. */
const char *kept_text(const char *text) __attribute__((returns_nonnull));

#endif
