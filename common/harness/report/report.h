/* report/report.h: the table that a person reads, on standard output. */
#ifndef WB_REPORT_H
#define WB_REPORT_H

#include "model/results.h"

/* The head: device and ceilings, before the tasks run. */
void wb_report_head(const wb_results *run);
/* One task. */
void wb_report_task(const wb_results *run, const wb_task_result *result);
/* The last line. */
void wb_report_foot(const wb_results *run);

#endif
