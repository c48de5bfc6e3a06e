/* What valgrind needs to know of the runtime's stacks; without its headers nothing happens here. */
#ifndef CUCC_BASE_VALGRIND_H
#define CUCC_BASE_VALGRIND_H

#include "base/base.h"

#if __has_include(<valgrind/valgrind.h>)
#include <valgrind/valgrind.h>
#else
#define RUNNING_ON_VALGRIND                 0
#define VALGRIND_STACK_REGISTER(start, end) ((void)0)
#endif

#endif
