/* run/errors.h: the error of a right answer beside that of a baseline. */
#ifndef WB_ERRORS_H
#define WB_ERRORS_H

#include "run/runner.h"

/*
 * At the size wb_task.compared calls the function and then the task's last baseline, with the same inputs, and
 * keeps the largest error of each (wb_task_result.errors). Nothing is judged by them. Returns false, with the
 * result's state and message set, when a call fails.
 */
bool wb_errors_run(wb_runner *runner, uint64_t key);

#endif
