/* report/sweep_svg.h: a sweep as a chart. */
#ifndef WB_SWEEP_SVG_H
#define WB_SWEEP_SVG_H

#include "model/results.h"

/* One self-contained SVG for light and dark backgrounds: a panel for each task, with the rates of the task
 * and its baselines over the swept size. Adds nothing when no value was timed. */
void wb_sweep_svg(const wb_results *run, wb_text *svg);

#endif
