/* worker/sanitizers.h: findings from the reports that gcc's sanitizers print. */
#ifndef WB_SANITIZERS_H
#define WB_SANITIZERS_H

#include "model/results.h"

/* Adds a finding for each sanitizer's report in the worker's output to the result. */
void wb_sanitizer_findings(wb_task_result *result);

#endif
