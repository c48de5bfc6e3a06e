/* report/svg.h: the common parts of the harness's pictures: timelines (timeline_svg.c) and sweeps
 * (sweep_svg.c). */
#ifndef WB_SVG_H
#define WB_SVG_H

#include "base/text.h"

/* All in SVG user units (pixels at scale 1). */
#define WB_SVG_WIDTH 760
#define WB_SVG_TOP   44 /* where the first panel may begin, below heading and subtitle */

/* Adds text with the characters that XML reserves escaped. */
void wb_svg_escaped(wb_text *svg, const char *text);

/* Begins the picture, for light and dark backgrounds: heading, subtitle (the origin of the figures, and
 * the device). `style` is additional CSS. */
void wb_svg_begin(wb_text *svg, double height, const char *heading, const char *origin, const char *device,
                  const char *style);

/* A step of 1, 2 or 5 times a power of ten that makes about six ticks. */
double wb_svg_tick_step(double span);

#endif
