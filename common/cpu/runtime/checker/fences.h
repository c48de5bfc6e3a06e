#ifndef CUCC_CHECKER_FENCES_H
#define CUCC_CHECKER_FENCES_H

#include "base/base.h"
#include "base/check.h"
#include "checker/thread_state.h"

struct worker;

CHECK(void check_warp_acquired(struct worker *w, int warp, uint32_t group))
CHECK(void check_fence(struct worker *w, enum fence fence))
/* `fence`: that of the operation itself. */
void fences_release(struct thread_state *l, uintptr_t address, enum fence fence);
void fences_acquire(struct thread_state *l, uintptr_t address);
/* Another thread takes its turn: what waits for the running one's next access is settled now. */
void fences_settle(void);

#endif
