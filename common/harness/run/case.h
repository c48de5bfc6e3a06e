/* run/case.h: one correctness case. */
#ifndef WB_CASE_H
#define WB_CASE_H

#include "run/runner.h"

/* Runs one case. Returns whether it was right; otherwise state and message are set. */
bool wb_case_run(wb_runner *runner, wb_case_result *result, uint64_t key, int call_flags);

/* Judges the current case after a call: it must be an error where one is due, else the right answer. */
bool wb_case_judge(wb_runner *runner, wb_case_result *result, const wb_reply *reply, uint64_t key);

#endif
