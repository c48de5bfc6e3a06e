/* run/figures.h: from times to rates, shares of the ceilings, and ratios. */
#ifndef WB_FIGURES_H
#define WB_FIGURES_H

#include "model/results.h"

/* The bytes of a case's arrays. */
typedef struct wb_traffic {
  double in, out; /* bytes of inputs and outputs; if all answers are in host memory, only of arrays there */
  double host_in; /* bytes of inputs in host memory */
  bool host_answer, inout, wide; /* all outputs in host memory; an array read and written; float64 */
} wb_traffic;

wb_traffic wb_traffic_of(const wb_task *task, const wb_case *c);

/* How many times as fast as a baseline of the task, by its number, the answer is: by samples of both in turn, in ms. */
wb_ratio wb_ratio_to(const wb_task *task, const wb_case *c, const wb_samples *time, size_t baseline,
                     const wb_samples *baseline_time);

/* Computes rates, percentages and ratios from the samples. */
void wb_timing_figures(const wb_results *run, wb_task_result *result, const wb_case *c);

/* Whether an output of the task is in host memory, so that a call ends with a copy to it. */
bool wb_answers_on_host(const wb_task *task);

/* Whether all of them are there: then the link limits the speed, not the device's memory. */
bool wb_answers_only_on_host(const wb_task *task);

#endif
