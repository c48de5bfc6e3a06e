/* run/probe.h: why is an answer wrong? Further calls of the case, changed in one respect, may show it. */
#ifndef WB_PROBE_H
#define WB_PROBE_H

#include "run/runner.h"

/*
 * For a task whose answer has wrong values, on the CPU backend or in a plain C lesson: repeats the case with
 * this key in a new worker. Is it right as the first call of a process? Then what the calls before it left is the
 * cause, whatever the values look like. If no cause is known: is it right with outputs that are 0 before the call?
 * Which elements of the inputs does the first wrong element depend on (run/dependence.h)? What shows a cause becomes
 * the result's `cause`; the counters of the call are kept in `failing`. `wrong` is one of the result's cases. Nothing
 * else of the result changes.
 */
void wb_probe_run(wb_runner *runner, wb_case_result *wrong, uint64_t key);

#endif
