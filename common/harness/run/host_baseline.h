/* run/host_baseline.h: the same work on the cores of the host. */
#ifndef WB_HOST_BASELINE_H
#define WB_HOST_BASELINE_H

#include "run/runner.h"

/*
 * Runs the driver's loop for the host (wb_task.cpu) on one core and on all, checks its answer, and adds
 * both to the baselines of a timed task. WB_BASELINE=0: never. WB_BASELINE=1: also where nothing is timed,
 * to check the loop. Call it when the task is judged and its worker has stopped: a failure here doesn't
 * change the verdict.
 */
void wb_baseline_run(wb_runner *runner, uint64_t key);

#endif
