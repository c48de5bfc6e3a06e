/* run/timing.h: the times of a task and its baselines. */
#ifndef WB_TIMING_H
#define WB_TIMING_H

#include "run/runner.h"

/* Times a right task. Returns false when a timed call failed: state and message are set. */
bool wb_timing_run(wb_runner *runner, uint64_t key);

/* Ends the process of the baselines; after the learner's has ended. */
void wb_timing_close(wb_runner *runner);

#endif
