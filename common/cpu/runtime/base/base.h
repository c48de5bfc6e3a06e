/* What every file of the runtime knows. */
#ifndef CUCC_BASE_BASE_H
#define CUCC_BASE_BASE_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif

#ifndef CUCC_CHECKED
#define CUCC_CHECKED 0
#endif

#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"

#define LIKELY(x)   __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
/* For thread-local variables: the runtime is always part of the program, never of a shared object, so each
 * file reaches them as directly as the one that defines them. */
#define IN_PROGRAM __attribute__((tls_model("local-exec")))
/* Where the host's call came from: for the places in reports. */
#define CALLER ((uintptr_t)__builtin_return_address(0))

#endif
