/* What compiled code calls to synchronise the grid. */
#include "base/base.h"

#include "state/launch_record.h"
#include "state/worker.h"
#include "checker/sync.h"
#include "blocks/block.h"
#include "blocks/grid.h"

void cucc_grid_sync(void);
int cucc_grid_cooperative(void);

int cucc_grid_cooperative(void) { return cucc_worker && (cucc_worker->launch->flags & CUCC_COOPERATIVE); }

void cucc_grid_sync(void) {
  struct worker *w = cucc_worker;
  if (!cucc_grid_cooperative()) {
    check_grid_absent(w, CALLER);
    launch_stop(w->launch, cudaErrorLaunchFailure);
    block_abandon(w);
  }
  w->at_grid++;
  block_wait(w, AT_BARRIER, CALLER);
}
