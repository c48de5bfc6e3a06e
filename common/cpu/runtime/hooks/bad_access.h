#ifndef CUCC_HOOKS_BAD_ACCESS_H
#define CUCC_HOOKS_BAD_ACCESS_H

#include "base/base.h"

void report_bad_address(uintptr_t address, size_t size, unsigned access, uintptr_t pc)
    __attribute__((noreturn));
/* `type`: the words " (as float4)", or "" where the type is not known. */
void report_misaligned(uintptr_t address, size_t size, unsigned access, uintptr_t pc, const char *type)
    __attribute__((noreturn));
/* A tile of nvcuda::wmma that may not begin here, or whose rows are `row` bytes apart. */
void report_tile(uintptr_t address, size_t row, unsigned access, uintptr_t pc) __attribute__((noreturn));

#endif
