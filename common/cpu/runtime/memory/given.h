#ifndef CUCC_MEMORY_GIVEN_H
#define CUCC_MEMORY_GIVEN_H

#include "base/base.h"

/* An array that the caller gave to the code in question (cucc_array). */
struct given {
  uintptr_t start;
  size_t size;
  const char *name;
};

/* The array that holds the address; an empty one holds its start. */
bool given_find(uintptr_t address, struct given *array);
/* Whether the bytes begin in such an array of the host's memory, or next to it, and are not all in it. */
bool given_left(uintptr_t address, size_t size, struct given *array);

#endif
