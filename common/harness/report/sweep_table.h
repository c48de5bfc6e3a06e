/* report/sweep_table.h: the tables of a run with --sweep, and the figures in them. */
#ifndef WB_SWEEP_TABLE_H
#define WB_SWEEP_TABLE_H

#include "model/results.h"

/* A figure for a bar or a line: the task's work per second, or without a formula its calls per second; and its
 * unit. */
double wb_sweep_rate(const wb_task_result *result);
const char *wb_sweep_unit(const wb_task *task);

/* The results of one task are neighbours: how many there are from number `first`. */
size_t wb_sweep_same_task(const wb_results *run, size_t first);

/* Prints the tables after the tasks ran: one for each task, a line for each value. */
void wb_sweep_report(const wb_results *run);

#endif
