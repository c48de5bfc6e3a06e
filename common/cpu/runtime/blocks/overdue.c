/* Kernels that do not end: the finding, and the end of the launch. */
#include "blocks/overdue.h"

#include <errno.h>
#include <stdio.h>

#include "base/code.h"
#include "base/options.h"
#include "state/launch_record.h"
#include "state/worker.h"
#include "checker/findings.h"
#include "blocks/grid.h"
#include "blocks/spin.h"

static void report(const struct launch *l, uintptr_t pc) {
  struct finding f = pc ? finding_here(TOOL_SYNC, pc + 1) : (struct finding){.tool = TOOL_SYNC, .launch = l};
  snprintf(f.sentence, sizeof f.sentence,
           "the kernel does not end: no block has come to its end for %g seconds, so it is stopped",
           options()->kernel_limit);
  f.cause = "a loop whose condition never changes, a lock that is never released, a flag that is never set "
            "(CUCC_KERNEL_LIMIT sets the seconds, 0 for no limit)";
  finding_add(&f);
}

/* Said once for each launch. */
void overdue_stop(struct launch *l, uintptr_t pc) {
  if (__atomic_exchange_n(&l->overdue, 2, __ATOMIC_RELAXED) != 1) return;
  report(l, pc);
  launch_stop(l, cudaErrorLaunchTimeout);
}

void overdue_interrupt(uintptr_t pc) {
  const int before = errno;
  struct worker *w = cucc_worker;
  if (w && code_in_kernel(pc)) {
    struct launch *l = w->launch;
    if (__atomic_load_n(&l->overdue, __ATOMIC_RELAXED) == 1) overdue_stop(l, pc);
    if (!CUCC_CHECKED || l->error == cudaErrorLaunchTimeout) block_yield(w);
  }
  errno = before;
}
