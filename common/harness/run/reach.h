/* run/reach.h: the sizes of wb_task.reach, of which the CPU backend runs a few blocks. */
#ifndef WB_REACH_H
#define WB_REACH_H

#include "run/runner.h"

/*
 * Calls the function at each of the sizes, last of all, since a fault ends the worker's device. A twentieth
 * of the usual limit: code that takes longer there, in few blocks with long loops, is not asked. A launch
 * that is refused makes the task wrong, and so does what the driver complains of: they do not depend on the
 * content of the arrays. Nor do the launches, but where they end early (given_calls). Where the kernels leave
 * out the end of an array, a case of `key` with some more elements than they touch is run; where all threads
 * are a few too few, the case itself, if it is small enough. Returns false if it is wrong.
 *
 * Some functions make several launches at such a size only. If the first of them fails and the function
 * returns success, *lost says so: that is what another check of the lesson is about.
 */
bool wb_reach_run(wb_runner *runner, uint64_t key, wb_text *lost);

/* The largest case that is run where the kernels leave out the end of an array and are right otherwise: the
 * arena has room for it. No size if there is none. */
wb_size wb_reach_past(const wb_task *task);

/* The case of .reach that is small enough to be run as a whole, if need be; no size if there is none. */
wb_size wb_reach_whole(const wb_task *task);

#endif
