/* run/figures.h: from times to rates, shares of the ceilings, and ratios. */
#ifndef WB_FIGURES_H
#define WB_FIGURES_H

#include "model/results.h"

/* Computes rates, percentages and ratios from the samples. */
void wb_timing_figures(const wb_results *run, wb_task_result *result, const wb_case *c);

/* Whether the task's outputs are in host memory: then the link limits the speed, not the device's memory. */
bool wb_answers_on_host(const wb_task *task);

#endif
