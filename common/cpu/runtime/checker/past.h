#ifndef CUCC_CHECKER_PAST_H
#define CUCC_CHECKER_PAST_H

#include "base/base.h"

struct op;

struct past { /* an operation that has run */
  uint32_t first, last, slot;
  uint64_t seq, issue;
  int stream;
  uintptr_t site;
  char name[64], file[128];
  int line;
};
/* The launch that runs now; NULL: none. */
void past_set_running(const struct op *op);
const struct past *past_of(uint32_t record);
/* For the host: work that made this record and that the host has not waited for is copied to *found. */
bool past_unseen(uint32_t record, struct past *found);
/* An id for a copy; *safe: records below are before it. */
uint32_t past_operation(const struct op *op, uint32_t *safe);
bool past_unordered(const struct op *op, uint32_t record);

/* Drops operations that nothing can overlap any more; with cucc.lock held. */
void past_prune(void);
void past_restart(void);
uint32_t past_safe_id(const struct op *op, uint32_t mine);
void past_add(const struct op *op, uint32_t first, uint32_t last);

#endif
