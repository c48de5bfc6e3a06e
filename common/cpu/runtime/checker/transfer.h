#ifndef CUCC_CHECKER_TRANSFER_H
#define CUCC_CHECKER_TRANSFER_H

#include "base/base.h"
#include "base/check.h"

struct op;

/* A part of the arena that an operation reads or writes: judges and notes it. Returns the first address that
 * was never written, or 0. */
struct piece {
  const struct op *op;
  uint32_t record, safe;
  bool writes, reported; /* reported: a race was, no further one will be */
};

CHECK(void check_copy(const struct op *op))
/* cudaFreeAsync is reached: everything that uses the memory must come before. */
CHECK(void check_free(const struct op *op))
uintptr_t check_piece(struct piece *piece, uintptr_t address, size_t size);

#endif
