/* report/timeline_text.h: a timeline as text. */
#ifndef WB_TIMELINE_TEXT_H
#define WB_TIMELINE_TEXT_H

#include "base/text.h"
#include "model/timeline.h"

/*
 * Draws a row for each stream, 72 columns wide: H copies to the device, D copies to the host, = copies within
 * a device or between devices, m memsets, K kernels; below it the time axis and the sums. `indent` blanks before
 * each line. `device` is the device's name.
 */
void wb_timeline_text(const wb_timeline *timeline, const char *device, int indent, wb_text *text);

#endif
