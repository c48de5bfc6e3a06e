#ifndef CUCC_CHECKER_SYNC_H
#define CUCC_CHECKER_SYNC_H

#include "base/base.h"
#include "base/check.h"

struct worker;

CHECK(void check_barrier(struct worker *w))
/* A lane of the running warp shuffles from a lane that is not there; named: its mask names it. */
CHECK(void check_absent_lane(struct worker *w, int thread, int source, bool named))
/* A lane calls a warp function with a mask that leaves out the lane itself. */
CHECK(void check_unnamed_lane(struct worker *w, int thread, uint32_t mask))
/* A function of nvcuda::wmma is called by some lanes of a warp only. */
CHECK(void check_partial_tile(struct worker *w, int thread, uint32_t group))
CHECK(void check_warp_met(struct worker *w, int warp, uint32_t group))
/* A barrier in memory is used that was never initialised; or more threads arrive than are missing. */
CHECK(void check_barrier_before_init(struct worker *w, uintptr_t site))
CHECK(void check_too_many_arrivals(struct worker *w, uintptr_t site, uint32_t count, uint32_t missing))
CHECK(void check_deadlock(struct worker *w))
/* The kernel was not launched as a cooperative one. */
CHECK(void check_grid_absent(struct worker *w, uintptr_t site))

#endif
