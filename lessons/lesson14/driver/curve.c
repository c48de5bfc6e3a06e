/* curve.c: see curve.h. A column is the mean of the steps that fall into it. */
#include "curve.h"
#include "base/text.h"
#include "report/svg.h"

#include <math.h>
#include <stdio.h>

#define COLUMNS 64
#define LINES   12

typedef struct columns {
  double mean[4 * COLUMNS], largest;
  int count;
} columns;

static columns columns_of(const float *losses, size_t first, size_t steps, int most) {
  columns c = {.count = (size_t)most < steps - first ? most : (int)(steps - first)};
  for (int i = 0; i < c.count; i++) {
    const size_t from = first + (steps - first) * (size_t)i / (size_t)c.count,
                 to = first + (steps - first) * (size_t)(i + 1) / (size_t)c.count;
    for (size_t s = from; s < to; s++) c.mean[i] += losses[s] / (double)(to - from);
    c.largest = fmax(c.largest, c.mean[i]);
  }
  return c;
}

void curve_print(const float *losses, size_t first, size_t steps) {
  if (steps <= first) return;
  const columns c = columns_of(losses, first, steps, COLUMNS);
  for (int line = LINES - 1; line >= 0; line--) {
    const double level = c.largest * line / LINES;
    printf("  %5.2f |", level);
    for (int i = 0; i < c.count; i++)
      putchar(c.mean[i] < level || !(c.mean[i] > 0)         ? ' '
              : c.mean[i] < c.largest * (line + .5) / LINES ? '.'
                                                            : ':');
    putchar('\n');
  }
  printf("        +");
  for (int i = 0; i < c.count; i++) putchar('-');
  printf("\n         step %zu to %zu\n", first, steps);
}

bool curve_write(const char *path, const float *losses, size_t first, size_t steps, const char *device) {
  enum { LEFT = 60, RIGHT = WB_SVG_WIDTH - 20, HEIGHT = 220 };
  const columns c = columns_of(losses, first, steps, 4 * COLUMNS);
  const double top = WB_SVG_TOP + 16, bottom = top + HEIGHT, tick = wb_svg_tick_step(c.largest);
  wb_text svg = {0};
  wb_svg_begin(&svg, bottom + 40, "The loss while it trains", "mean loss of the steps' batches", device,
               ".loss { fill: none; stroke: #1f5fa8; stroke-width: 2; } .grid { stroke: #bbbbbb; }");
  for (double v = 0; c.largest > 0 && v <= c.largest; v += tick) {
    const double y = bottom - v / c.largest * HEIGHT;
    wb_text_add(&svg, "<line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>\n", LEFT, y, RIGHT,
                y);
    wb_text_add(&svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.4g</text>\n", LEFT - 6, y + 4, v);
  }
  wb_text_add(&svg, "<polyline class=\"loss\" points=\"");
  for (int i = 0; i < c.count && c.largest > 0; i++)
    wb_text_add(&svg, "%.1f,%.1f ", LEFT + (RIGHT - LEFT) * (i + .5) / c.count,
                bottom - c.mean[i] / c.largest * HEIGHT);
  wb_text_add(&svg, "\"/>\n<text x=\"%d\" y=\"%.1f\">step %zu to %zu</text>\n</svg>\n", LEFT, bottom + 24,
              first, steps);
  FILE *file = fopen(path, "w");
  bool written = file && fwrite(svg.data, 1, svg.size, file) == svg.size;
  if (file) written = fclose(file) == 0 && written;
  wb_text_free(&svg);
  return written;
}
