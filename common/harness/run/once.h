/* run/once.h: --once. */
#ifndef WB_ONCE_H
#define WB_ONCE_H

#include "model/results.h"

/* One verified call of one task in this process, without a worker: debuggers, profilers and
 * compute-sanitizer see one process and one call. Prints one line; returns the exit status (0, 1, 3). */
int wb_once(const wb_results *run, wb_task_result *result);

#endif
