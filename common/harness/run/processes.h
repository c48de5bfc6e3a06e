/* run/processes.h: a process for each rank of a task. */
#ifndef WB_PROCESSES_H
#define WB_PROCESSES_H

#include "run/runner.h"

/*
 * Where a task has ranks (wb_task.part_of_rank), the CPU backend runs some small cases once more with a process
 * for each of them: ranks that are threads of one process can share what ranks on a cluster can't. The task's own
 * worker has ended. Returns false, with the result's state and message set, if one of these cases is wrong.
 */
bool wb_processes_run(const wb_runner *runner, uint64_t key);

#endif
