/* run/failures.h: what a function does when one of its CUDA calls fails, and what it does not release. */
#ifndef WB_FAILURES_H
#define WB_FAILURES_H

#include "run/runner.h"

/*
 * For a task whose cases are right: calls it again at a small size, as it is, to see whether host memory is
 * lost at each call; then, on the CPU backend, once for each of its calls that may fail
 * (allocations, copies, launches, creations), which fails; several times where host memory may be lost. Then
 * the same at a few sizes at which it makes another number of such calls. Fills in the result's `failures` and
 * `leaked_host_bytes`. The task stays right whatever it finds. The worker is new, and may die of it.
 */
void wb_failures_run(wb_runner *runner, uint64_t key);

/* The case that it takes, when the cases have run: the one that the task names (wb_task.failing), or the
 * largest of the small ones that have an answer and need few calls. Not the random one, so that the number of
 * calls is the same each time. NULL: none. */
wb_case_result *wb_failures_case(const wb_runner *runner);

#endif
