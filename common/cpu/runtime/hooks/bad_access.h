#ifndef CUCC_HOOKS_BAD_ACCESS_H
#define CUCC_HOOKS_BAD_ACCESS_H

#include "base/base.h"

void report_bad_address(uintptr_t address, size_t size, unsigned access, uintptr_t pc)
    __attribute__((noreturn));
void report_misaligned(uintptr_t address, size_t size, unsigned access, uintptr_t pc)
    __attribute__((noreturn));

#endif
