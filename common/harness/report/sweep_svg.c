/* report/sweep_svg.c: see report/sweep_svg.h. The swept size has a logarithmic axis, the rate a linear one
 * from 0: a point twice as high is twice as fast. */
#include "report/sweep_svg.h"
#include "model/sweep.h"
#include "report/svg.h"
#include "report/sweep_table.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEFT   76
#define RIGHT  170 /* room for the names of the lines */
#define PLOT   200
#define TITLE  30
#define BOTTOM 50

/* One task's part of the picture. */
typedef struct plot {
  const wb_task_result *results;
  size_t count;
  int place;               /* of the swept size */
  double top, least, most; /* log2 of the smallest and the largest value */
  double highest;          /* rate at the upper end */
  const char *unit;
} plot;

/* The rate of a task (line -1) or of a baseline; NaN where none was measured. */
static double rate(const wb_task_result *result, int line) {
  if (!result->timed || line >= (int)result->baseline_count) return NAN;
  return wb_sweep_rate(result) / (line < 0 ? 1 : result->baselines[line].ratio.value);
}

static double log2_of(const plot *p, size_t i) {
  return log2(fmax(1, (double)p->results[i].size.n[p->place]));
}

static double x_of(const plot *p, size_t i) {
  const double share = p->most > p->least ? (log2_of(p, i) - p->least) / (p->most - p->least) : 0.5;
  return LEFT + share * (WB_SVG_WIDTH - LEFT - RIGHT);
}

static double y_of(const plot *p, double value) { return p->top + TITLE + PLOT * (1 - value / p->highest); }

/* 1048576 as 1 Mi, 1000 as 1000. */
static void value_text(size_t value, wb_text *svg) {
  static const char *const suffix[] = {"", " Ki", " Mi", " Gi"};
  int power = 0;
  while (power < 3 && value >= 1024 && value % 1024 == 0) {
    value /= 1024;
    power++;
  }
  wb_text_add(svg, "%zu%s", value, suffix[power]);
}

static void add_axes(const plot *p, const char *dim, wb_text *svg) {
  const double low = y_of(p, 0), step = wb_svg_tick_step(p->highest);
  for (int t = 0; t * step <= p->highest; t++) {
    const double y = y_of(p, t * step);
    wb_text_add(
        svg,
        "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n",
        LEFT, y, WB_SVG_WIDTH - RIGHT, LEFT - 8, y + 4, t * step);
  }
  double last = -100; /* numbers that would overlap are left out */
  for (size_t i = 0; i < p->count; i++) {
    const double x = x_of(p, i);
    wb_text_add(svg, "<path class=\"axis\" d=\"M%.1f %.1fv4\"/>", x, low);
    if (x - last < 50) continue;
    last = x;
    wb_text_add(svg, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", x, low + 18);
    value_text(p->results[i].size.n[p->place], svg);
    wb_text_add(svg, "</text>\n");
  }
  wb_text_add(svg, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">", (LEFT + WB_SVG_WIDTH - RIGHT) / 2,
              low + 36);
  wb_svg_escaped(svg, dim);
  wb_text_add(svg, "</text>\n");
}

/* A line with a mark at each value; number -1: the task's own. */
static void add_line(const plot *p, int number, wb_text *svg) {
  wb_text points = {0};
  for (size_t i = 0; i < p->count; i++) {
    const double value = rate(&p->results[i], number);
    if (!isfinite(value)) continue;
    const double x = x_of(p, i), y = y_of(p, value);
    wb_text_add(&points, "%.1f,%.1f ", x, y);
    wb_text_add(svg,
                "<circle class=\"c%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>%.4g %s</title></circle>\n",
                number + 1, x, y, value, p->unit);
  }
  wb_text_add(svg, "<polyline class=\"line c%d\" points=\"%s\"/>\n", number + 1, wb_text_get(&points));
  wb_text_free(&points);
}

/* The lines' names, to the right of the plot. */
static void add_legend(const plot *p, wb_text *svg) {
  const wb_task *task = p->results->task;
  for (int line = -1; line < (int)task->baseline_count; line++) {
    const double x = WB_SVG_WIDTH - RIGHT + 16, y = p->top + TITLE + 8 + 20 * (line + 1);
    wb_text_add(svg, "<circle class=\"c%d\" cx=\"%g\" cy=\"%g\" r=\"5\"/><text x=\"%g\" y=\"%g\">", line + 1,
                x, y, x + 12, y + 4);
    wb_svg_escaped(svg, line < 0 ? task->name : task->baselines[line].name);
    wb_text_add(svg, "</text>\n");
  }
}

/* The ends of both axes. False when nothing was timed. */
static bool measure(plot *p) {
  p->least = INFINITY;
  p->most = -INFINITY;
  for (size_t i = 0; i < p->count; i++) {
    p->least = fmin(p->least, log2_of(p, i));
    p->most = fmax(p->most, log2_of(p, i));
    for (int line = -1; line < (int)p->results[i].baseline_count; line++)
      if (isfinite(rate(&p->results[i], line))) p->highest = fmax(p->highest, rate(&p->results[i], line));
  }
  return p->highest > 0;
}

static void add_panel(const plot *p, const char *dim, wb_text *svg) {
  const wb_task *task = p->results->task;
  wb_text_add(svg, "<text class=\"title\" x=\"16\" y=\"%g\">", p->top + 16);
  wb_svg_escaped(svg, task->name);
  wb_text_add(svg, ", %s</text>\n", p->unit);
  add_axes(p, dim, svg);
  for (int line = (int)task->baseline_count - 1; line >= -1; line--) add_line(p, line, svg);
  add_legend(p, svg);
}

void wb_sweep_svg(const wb_results *run, wb_text *svg) {
  const wb_sweep *sweep = &run->options->sweep;
  wb_text panels = {0}, heading = {0};
  double top = WB_SVG_TOP;
  for (size_t first = 0, count; first < run->task_count; first += count) {
    plot p = {.results = &run->tasks[first], .top = top};
    count = p.count = wb_sweep_same_task(run, first);
    p.place = wb_sweep_place(sweep, p.results->task);
    p.unit = wb_sweep_unit(p.results->task);
    if (!measure(&p)) continue;
    add_panel(&p, sweep->dim, &panels);
    top += TITLE + PLOT + BOTTOM;
  }
  if (panels.size) {
    wb_text_add(&heading, "%s %s", run->lesson->name, run->lesson->title);
    /* Colours of Okabe and Ito: they differ for colour-blind readers, too. */
    wb_svg_begin(svg, top, heading.data, "measured on", run->device.name,
                 ".grid { stroke: #8884; } .line { fill: none; stroke-width: 2; }\n"
                 ".c0 { fill: #0072b2; stroke: #0072b2; } .c1 { fill: #e69f00; stroke: #e69f00; }\n"
                 ".c2 { fill: #009e73; stroke: #009e73; } .c3 { fill: #cc79a7; stroke: #cc79a7; }\n"
                 ".c4 { fill: #999; stroke: #999; } polyline.line { fill: none; }\n");
    wb_text_add_bytes(svg, panels.data, panels.size);
    wb_text_add(svg, "</svg>\n");
  }
  wb_text_free(&panels);
  wb_text_free(&heading);
}
