/*
 * Threads that wait for a phase of a barrier in shared memory (cuda::barrier, cuda::pipeline). What compiled
 * code calls is in hooks/phases.c.
 *
 * A phase at which all have arrived ends at once, unless copies in the background belong to it. These arrive as
 * late as they can: when a thread waits for the phase and no thread of the block can go on without them. So a
 * thread that reads without a wait reads too early, in each run.
 */
#include "blocks/phases.h"

#include "state/phase.h"
#include "state/worker.h"

void phases_wake(struct worker *w, const uint64_t *object) {
  for (int n = 0; w->at_phase && n < w->started; n++) {
    const int thread = thread_at(w, n);
    if (w->threads[thread].wait != AT_PHASE || w->phased[thread].object != object) continue;
    w->phased[thread].object = NULL;
    w->at_phase--;
    block_make_ready(w, thread);
  }
  w->idle_turns = 0;
}

bool phases_settle(struct worker *w) {
  for (int n = 0; w->at_phase && n < w->started; n++) {
    const int thread = thread_at(w, n);
    const struct phased *p = &w->phased[thread];
    if (w->threads[thread].wait != AT_PHASE || phase_missing(*p->object)) continue;
    w->at_phase--;
    w->threads[thread].wait = SPINNING;
    block_make_ready(w, thread);
    return true;
  }
  return false;
}
