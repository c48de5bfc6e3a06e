#ifndef CUCC_HOOKS_JUDGE_H
#define CUCC_HOOKS_JUDGE_H

#include "base/base.h"

/* Any access that the fast ways did not settle. Does not return when the access must not happen. */
void judge(uintptr_t address, size_t size, unsigned access, uintptr_t pc);

#endif
