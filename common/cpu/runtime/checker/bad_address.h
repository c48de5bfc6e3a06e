#ifndef CUCC_CHECKER_BAD_ADDRESS_H
#define CUCC_CHECKER_BAD_ADDRESS_H

#include "base/base.h"

struct finding;

bool near_arena(uintptr_t address);
void explain_arena(struct finding *f, const char *who, uintptr_t address, size_t size, unsigned access);
/* Where the host's memory is, outside of the arena. */
void explain_host(struct finding *f, const char *who, uintptr_t address, size_t size, unsigned access);

#endif
