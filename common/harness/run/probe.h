/* run/probe.h: why is an answer wrong? Further calls of the case, changed in one respect, may show it. */
#ifndef WB_PROBE_H
#define WB_PROBE_H

#include "run/runner.h"

/*
 * For a task whose answer has wrong values, on the CPU backend or in a plain C lesson: repeats the case with
 * this key in a new worker. Is it right alone, or with outputs that are 0 before the call? Which elements of
 * the inputs does the first wrong element depend on (run/dependence.h)? Adds what shows a cause to the result's
 * `cause`; keeps the counters of the call in `failing`. Nothing else of the result changes.
 */
void wb_probe_run(wb_runner *runner, wb_case_result *wrong, uint64_t key);

#endif
