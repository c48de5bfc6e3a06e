/* model/sweep.h: --sweep: the same task at many values of one of its sizes, as a table with bars and as a chart.
 */
#ifndef WB_SWEEP_H
#define WB_SWEEP_H

#include "wb.h"
#include "base/text.h"
#include <stdbool.h>

#define WB_SWEEP_MOST 40

typedef struct wb_sweep {
  char dim[24]; /* which of the task's dims */
  size_t value[WB_SWEEP_MOST];
  int count; /* 0: no sweep */
} wb_sweep;

/*
 * Reads "n=1024..1048576" (each value twice the one before, the last one included) or "threads=32,64,96".
 * Returns false where the text is neither, or has more than WB_SWEEP_MOST values.
 */
bool wb_sweep_parse(const char *text, wb_sweep *sweep);

/* The place of the swept size among the task's dims; -1: it has no such size. */
int wb_sweep_place(const wb_sweep *sweep, const wb_task *task);

struct wb_run;
struct wb_task_result;

/* A figure for a bar or a line: the task's work per second, or without a formula its calls per second; and
 * its unit. */
double wb_sweep_rate(const struct wb_task_result *result);
const char *wb_sweep_unit(const wb_task *task);

/* The results of one task stand together: how many, from number `first`. */
size_t wb_sweep_same_task(const struct wb_run *run, size_t first);

/* The tables of a run with --sweep, after its tasks ran: one for each task, a line for each value. Prints. */
void wb_sweep_report(const struct wb_run *run);

/* The same as one self-contained SVG, readable on light and on dark ground: a panel for each task, the rate
 * against the swept size, the baselines beside it. Adds nothing when no value was timed. */
void wb_sweep_svg(const struct wb_run *run, wb_text *svg);

#endif
