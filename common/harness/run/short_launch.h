/* run/short_launch.h: whether a launch has no thread for what was left out. */
#ifndef WB_SHORT_LAUNCH_H
#define WB_SHORT_LAUNCH_H

#include "base/text.h"
#include "device/device.h"
#include "model/check.h"

/* The wrong elements are as they were before the call, which made one launch: adds a line and returns true if
 * as many elements, rows or columns before the first wrong one are right as the launch has threads, or that many
 * times 2, 4, 8 or 16. */
bool wb_short_launch(const wb_task *task, const wb_verdict *verdict, const wb_launched *launched,
                     wb_text *text);

#endif
