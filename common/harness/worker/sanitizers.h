/* worker/sanitizers.h: findings from the reports that gcc's sanitizers print. */
#ifndef WB_SANITIZERS_H
#define WB_SANITIZERS_H

#include "model/arena.h"
#include "model/results.h"

/* Adds a finding for each sanitizer's report in the worker's output to the result. Where a report ended the process,
 * the message names the array and the element, by the layout of its last case. */
void wb_sanitizer_findings(wb_task_result *result, const wb_arena *arena, const wb_layout *layout);

#endif
