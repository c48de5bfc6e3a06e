/*
 * Calls of a device function that a lesson's header gives, such as an integrand: the header calls
 * cucc_count_call in it, with its value. How often, for each shape of launches, is always counted; how often in
 * all, and by how many threads, while accesses are.
 */
#include "base/base.h"

#include "cucc.h"

#include "state/counters.h"
#include "state/sample.h"
#include "state/without.h"
#include "state/worker.h"
#include "checker/thread_state.h"
#include "blocks/block.h"
#include "blocks/grid.h"

void cucc_count_call(double *value);

#if CUCC_CHECKED
/* Who called last. A thread that another one interrupts counts twice. */
static __thread struct {
  const struct launch *launch;
  uint3 block, thread;
} last IN_PROGRAM;

static bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* While a few blocks run, they need not go on for longer than it takes to see that they do their share. */
static void enough(void) {
  if (!sample_needs || !sample_called(cucc_worker->launch)) return;
  launch_stop(cucc_worker->launch, cudaErrorLaunchTimeout);
  block_abandon(cucc_worker);
}

static void tally_caller(void) {
  if (!thread_state.profile) return;
  const uint3 block = cucc_self.block_idx, thread = cucc_self.thread_idx;
  count(COUNT_GIVEN_CALLS);
  if (last.launch == cucc_worker->launch && same(last.block, block) && same(last.thread, thread)) return;
  count(COUNT_GIVEN_CALLERS);
  last.launch = cucc_worker->launch;
  last.block = block;
  last.thread = thread;
}
#else
static void enough(void) {}
static void tally_caller(void) {}
#endif

void cucc_count_call(double *value) {
  if (counts_as_zero(*value)) *value = 0;
  if (!cucc_worker) return;
  count_given_call(cucc_worker->launch);
  enough();
  tally_caller();
}
