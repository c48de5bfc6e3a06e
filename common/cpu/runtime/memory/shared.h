#ifndef CUCC_MEMORY_SHARED_H
#define CUCC_MEMORY_SHARED_H

#include "base/base.h"
#include "memory/shadow.h"

struct variable {
  size_t offset, size; /* in thread-local storage */
  bool guard;          /* the compiler's own, of a variable with a constructor: "it has been called" */
  char name[96];
};
void shared_start(void);
/* This thread's storage and its shadow, made at the first call. */
struct region shared_region(void);
void shared_free(struct region *r);
/* The variable at an offset, or the nearest one before it; NULL when there is none. */
const struct variable *shared_variable(size_t offset);
/* The variable that an access at an offset may have been meant for: in the gap between two, the nearer
 * one. */
const struct variable *shared_variable_near(size_t offset);
size_t shared_dynamic_offset(void);

#endif
