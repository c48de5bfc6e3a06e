#ifndef CUCC_MEMORY_SPLIT_H
#define CUCC_MEMORY_SPLIT_H

#include "base/base.h"
#include "memory/shadow.h"

/* The records of bytes [first, end) of a word; and their way back. */
void split_load(const struct region *r, size_t index, struct cell four[4], size_t first, size_t end);
void split_store(const struct region *r, size_t index, const struct cell four[4], size_t first, size_t end);
/* Whether a byte of the arena was ever written. */
bool split_written(uintptr_t address);

#endif
