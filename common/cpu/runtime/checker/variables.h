#ifndef CUCC_CHECKER_VARIABLES_H
#define CUCC_CHECKER_VARIABLES_H

#include "base/base.h"

struct finding;
struct region;

/* Allocation and index of a finding, where the address is a device variable's. */
bool variable_describe(struct finding *f, uintptr_t address, size_t element);
/* The records of a kernel's access to a device variable; NULL when it is none, or not all of it. Of use until
 * the thread's next call. */
const struct region *variable_region(uintptr_t address, size_t size);
bool variable_is_constant(uintptr_t address);
/* These report, or fill in a finding, and return whether the address is a device variable's at all. */
bool variable_host_access(uintptr_t address, size_t size, bool writes, uintptr_t pc);
bool variable_explain(struct finding *f, const char *who, const char *verb, uintptr_t address, size_t size,
                      bool writes);
bool variable_explain_copy(struct finding *f, const char *call, const void *p, const char *side,
                           size_t bytes);

#endif
