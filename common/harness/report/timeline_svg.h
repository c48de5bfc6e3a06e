/* report/timeline_svg.h: timelines as a picture. */
#ifndef WB_TIMELINE_SVG_H
#define WB_TIMELINE_SVG_H

#include "base/text.h"
#include "model/timeline.h"

/* One drawing of a --image file. */
typedef struct wb_panel {
  const char *title;
  const wb_timeline *timeline;
} wb_panel;

/* Draws the panels below each other as one self-contained SVG for light and dark backgrounds. */
void wb_timeline_svg(const wb_panel *panels, size_t count, const char *heading, const char *device,
                     wb_text *svg);

#endif
