/* report/timeline_svg.c: see report/timeline_svg.h. */
#include "report/timeline_svg.h"
#include "report/svg.h"
#include <math.h>
#include <stdio.h>

/* In SVG user units, as in report/svg.h. */
#define WIDTH  WB_SVG_WIDTH
#define LEFT   76 /* room for the rows' names */
#define RIGHT  16
#define ROW    22
#define BAR    16
#define TOP    WB_SVG_TOP
#define TITLE  26
#define AXIS   34
#define LEGEND 24

static const char *const colour[] = {"h", "d", "e", "m", "k"};

/* The streams that occur, in ascending order; returns how many (at most 32). */
static int streams_of(const wb_timeline *timeline, int row[32]) {
  int count = 0, last = -1;
  for (size_t i = 0; i < timeline->count; i++)
    if (timeline->list[i].stream > last) last = timeline->list[i].stream;
  for (int stream = 0; stream <= last && count < 32; stream++)
    for (size_t i = 0; i < timeline->count; i++)
      if (timeline->list[i].stream == stream) {
        row[count++] = stream;
        break;
      }
  return count;
}

static double panel_height(const wb_timeline *timeline) {
  int row[32];
  return TITLE + ROW * streams_of(timeline, row) + AXIS;
}

static void add_bars(const wb_timeline *timeline, const int *row, int rows, double top, double scale,
                     wb_text *svg) {
  for (int l = 0; l < rows; l++) {
    const double y = top + l * ROW;
    wb_text_add(svg, "<text x=\"%d\" y=\"%g\" text-anchor=\"end\">stream %d</text>\n", LEFT - 8, y + BAR - 3,
                row[l]);
    for (size_t i = 0; i < timeline->count; i++) {
      const wb_activity *a = &timeline->list[i];
      if (a->stream != row[l]) continue;
      wb_text_add(svg, "<rect class=\"%s\" x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%d\"><title>",
                  colour[a->kind], LEFT + a->start_us * scale, y,
                  fmax(0.75, (a->end_us - a->start_us) * scale), BAR);
      wb_svg_escaped(svg, a->kind == WB_KERNEL ? a->name : wb_kind_name(a->kind));
      if (a->bytes)
        wb_text_add(svg, ", %zu bytes%s", a->bytes, a->kind <= WB_D2H && !a->pinned ? ", pageable" : "");
      wb_text_add(svg, ", %.4g to %.4g us</title></rect>\n", a->start_us, a->end_us);
    }
  }
}

static void add_axis(const wb_timeline *timeline, double y, double scale, wb_text *svg) {
  const bool milli = timeline->span_us >= 1000;
  const double unit = milli ? 1000 : 1, step = wb_svg_tick_step(timeline->span_us / unit);
  wb_text_add(svg, "<path class=\"axis\" d=\"M%d %gH%d\"/>\n", LEFT, y, WIDTH - RIGHT);
  for (int t = 0; t * step <= timeline->span_us / unit; t++) {
    const double x = LEFT + t * step * unit * scale;
    wb_text_add(
        svg,
        "<path class=\"axis\" d=\"M%.2f %gv4\"/><text x=\"%.2f\" y=\"%g\" text-anchor=\"middle\">%g</text>\n",
        x, y, x, y + 16, t * step);
  }
  wb_text_add(svg, "<text x=\"%d\" y=\"%g\" text-anchor=\"end\">%s</text>\n", LEFT - 8, y + 16,
              milli ? "ms" : "us");
}

static void add_panel(const wb_panel *panel, double top, wb_text *svg) {
  const wb_timeline *timeline = panel->timeline;
  int row[32];
  const int rows = streams_of(timeline, row);
  wb_text_add(svg, "<text class=\"title\" x=\"%d\" y=\"%g\">", LEFT, top + 14);
  wb_svg_escaped(svg, panel->title);
  wb_text_add(svg, "</text>\n");
  if (timeline->span_us <= 0) return;
  const double scale = (WIDTH - LEFT - RIGHT) / timeline->span_us;
  add_bars(timeline, row, rows, top + TITLE, scale, svg);
  add_axis(timeline, top + TITLE + rows * ROW + 2, scale, svg);
}

static void add_legend(double y, wb_text *svg) {
  static const char *const what[] = {"to the device", "to the host", "within the device", "memset", "kernel"};
  double x = LEFT;
  for (int kind = 0; kind < WB_KINDS; kind++) {
    wb_text_add(svg,
                "<rect class=\"%s\" x=\"%g\" y=\"%g\" width=\"12\" height=\"12\"/><text x=\"%g\" "
                "y=\"%g\">%s</text>\n",
                colour[kind], x, y, x + 17, y + 10, what[kind]);
    x += kind == WB_D2D ? 142 : 116;
  }
}

void wb_timeline_svg(const wb_panel *panels, size_t count, const char *heading, const char *device,
                     wb_text *svg) {
  double height = TOP + LEGEND;
  bool measured = false;
  for (size_t p = 0; p < count; p++) {
    height += panel_height(panels[p].timeline);
    measured = measured || panels[p].timeline->source == WB_MEASURED;
  }
  /* The colours differ for colour-blind readers, too (blue, orange, grey, purple, green of Okabe and Ito). */
  wb_svg_begin(svg, height, heading, measured ? "measured on" : "modelled, not measured:", device,
               ".h { fill: #0072b2; } .d { fill: #e69f00; } .e { fill: #999; } .m { fill: #cc79a7; } "
               ".k { fill: #009e73; }\n");
  double top = TOP;
  for (size_t p = 0; p < count; p++) {
    add_panel(&panels[p], top + 4, svg);
    top += panel_height(panels[p].timeline);
  }
  add_legend(top + 4, svg);
  wb_text_add(svg, "</svg>\n");
}
