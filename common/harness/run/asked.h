/* run/asked.h: whether a call made the launches that its caller asked for. */
#ifndef WB_ASKED_H
#define WB_ASKED_H

#include "run/runner.h"

/* Compares the launches of the current case's call with wb_task.asks, on a backend that knows them, and
 * notes the first case in which they differ in the task's result. */
void wb_asked_judge(wb_runner *runner, const wb_launched *launched);

#endif
