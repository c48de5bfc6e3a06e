#ifndef CUCC_BASE_THREADS_H
#define CUCC_BASE_THREADS_H

#include "base/base.h"

/* Makes a detached thread of the runtime; stack_bytes 0: of the usual size. False: the system gives none. */
bool thread_start(size_t stack_bytes, void *(*run)(void *), void *argument);

#endif
