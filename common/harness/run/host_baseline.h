/* run/host_baseline.h: the same work by the cores of the host. */
#ifndef WB_HOST_BASELINE_H
#define WB_HOST_BASELINE_H

#include "run/runner.h"

/*
 * Runs the driver's loop for the host (wb_task.cpu), on one core and on all, checks its answer, and adds both
 * to the baselines of a task that was timed. WB_BASELINE=0: never; =1: also where no time is taken, to see
 * that the loop is right. Call it when the task is judged and its worker stopped: no failure here touches the
 * verdict.
 */
void wb_baseline_run(wb_runner *runner, uint64_t key);

#endif
