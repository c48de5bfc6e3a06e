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

#endif
