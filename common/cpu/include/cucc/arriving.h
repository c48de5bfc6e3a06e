/* Reports copies to shared memory in the background to the checker: each is done at once, but may not be
 * read before its wait (runtime/arriving.c). */
#ifndef CUCC_ARRIVING_H
#define CUCC_ARRIVING_H

#include "kernel.h"

extern "C" {
#if CUCC_CHECKED
/* These bytes were copied, in the background as it were. */
void cucc_copy_started(const void *to, size_t size);
/* What this thread has started since the last such call is one batch. */
void cucc_copies_commit(void);
/* What this thread has started but has yet to commit belongs to the running phase of a barrier (phases.h). */
void cucc_copies_bind(const void *object);
/* This thread has waited for all its batches but the last few. */
void cucc_copies_wait(size_t but_last);
#else
static inline void cucc_copy_started(const void *, size_t) {}
static inline void cucc_copies_commit(void) {}
static inline void cucc_copies_bind(const void *) {}
static inline void cucc_copies_wait(size_t) {}
#endif
}

#endif
