#ifndef CUCC_BASE_PLACES_H
#define CUCC_BASE_PLACES_H

#include "base/base.h"

struct place {
  char file[256];
  int line; /* 0: unknown */
};
/* The source line of the instruction before a return address; the learner's, where our headers were
 * inlined. */
struct place place_of(uintptr_t return_address);
/* Resolves several at once, which takes no longer than one; place_of then knows them. */
void places_prepare(const uintptr_t *addresses, size_t count);

#endif
