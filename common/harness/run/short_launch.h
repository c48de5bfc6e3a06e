/* run/short_launch.h: what the launches and copies of a call show about what was left out. */
#ifndef WB_SHORT_LAUNCH_H
#define WB_SHORT_LAUNCH_H

#include "base/text.h"
#include "device/device.h"
#include "model/check.h"

/* The wrong elements are as they were before the call, which made one launch: adds a line if
 * as many elements, rows or columns before the first wrong one are right as the launch has threads, or that many
 * times 2, 4, 8 or 16. Returns how many each thread has; 0: it says nothing. */
size_t wb_short_launch(const wb_task *task, const wb_verdict *verdict, const wb_launched *launched,
                       wb_text *text);

/* Nothing of an array of the host was written, and the call launched kernels, but copied nothing to the host: adds
 * a line and returns true. */
bool wb_no_copy_back(const wb_task *task, const wb_verdict *verdict, const wb_launched *launched,
                     wb_text *text);

#endif
