#ifndef CUCC_CHECKER_SEEN_H
#define CUCC_CHECKER_SEEN_H

#include "base/base.h"
#include "base/check.h"

struct worker;

/* Barriers in shared memory, of the running block. `object` is where one lies. */
CHECK(void seen_block_begins(struct worker *w))
/* init(): a barrier begins there, or begins anew. */
CHECK(void seen_init(struct worker *w, const void *object))
/* The running thread arrives: a thread that waits for this phase has seen what it did and saw up to here. */
CHECK(void seen_arrive(struct worker *w, const void *object))
CHECK(void seen_complete(struct worker *w, const void *object))
/* The running thread has waited for the last phase that ended. */
CHECK(void seen_wait(struct worker *w, const void *object))
/* The lanes of a group meet in a warp function. */
CHECK(void seen_met(struct worker *w, int warp, uint32_t group))

#if CUCC_CHECKED
bool seen_object(const struct worker *w, const void *object);
/* Copies in the background that belong to the running phase. */
uint32_t *seen_copies(const struct worker *w, const void *object);
/* Has the running thread seen what thread `who` did with this id? */
bool seen_of(const struct worker *w, unsigned who, uint32_t id);
#endif

#endif
