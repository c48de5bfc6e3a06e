/* run/capabilities.h: calls on devices of other compute capabilities. */
#ifndef WB_CAPABILITIES_H
#define WB_CAPABILITIES_H

#include "run/runner.h"

/*
 * Where a task names other compute capabilities (wb_task.capabilities), it is called on the CPU backend on a
 * device of each, at its first size. Each call has a worker of its own, since a function may ask its device
 * only once.
 */
void wb_capabilities_run(wb_runner *runner, uint64_t key);

#endif
