/* run/task.h: testing and timing one task in a worker of its own. */
#ifndef WB_TASK_H
#define WB_TASK_H

#include "model/results.h"

/* Runs a task: its correctness cases, then the trace call, then timing. Fills in *result (zeroed by the
 * caller but for `task`). Its random numbers come from run->secret->key. */
void wb_task_run(const wb_results *run, wb_task_result *result);

#endif
