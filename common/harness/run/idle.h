/* run/idle.h: a call whose kernels do nothing. */
#ifndef WB_IDLE_H
#define WB_IDLE_H

#include "run/runner.h"

/*
 * For a task that is right and has wb_task.in_kernels, on the CPU backend: calls it once more at the size of its
 * timeline, in a worker of its own, and runs no block of its kernels. If the answer is right all the same, the host has
 * computed it before or after the kernels: the task is wrong, and the message says so. Whatever else happens in that
 * call says nothing.
 */
void wb_idle_run(wb_runner *runner, uint64_t key);

#endif
