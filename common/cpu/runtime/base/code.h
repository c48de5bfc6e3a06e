#ifndef CUCC_BASE_CODE_H
#define CUCC_BASE_CODE_H

#include "base/base.h"

/* The module with this instruction holds kernels. Calls must not overlap. */
void code_add_kernel(uintptr_t pc);
/* The instruction is a kernel's, not the runtime's or a library's: a thread that is interrupted there holds
 * no lock. */
bool code_in_kernel(uintptr_t pc);
/* It is the runtime's own; true as well where that is not known. */
bool code_in_runtime(uintptr_t pc);
/* It is of a hook that the compiler put in front of an access. Those hold no lock either. */
bool code_in_hook(uintptr_t pc);

#endif
