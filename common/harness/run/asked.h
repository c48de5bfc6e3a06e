/* run/asked.h: whether a call made the launches that its caller asked for. */
#ifndef WB_ASKED_H
#define WB_ASKED_H

#include "run/runner.h"

/* Compares the launches of the current case's call with wb_task.asks, and the calls of a function that the header
 * gives with wb_task.given_calls, on a backend that knows them. Notes in the task's result the first case in which
 * they differ, in which memory was allocated where none may be, or in which the driver found another way than the
 * asked one (wb_not_as_asked). */
void wb_asked_judge(wb_runner *runner, const wb_reply *reply);

/* Notes these words for the current case, unless there are some. */
void wb_asked_note(wb_runner *runner, const char *words);

#endif
