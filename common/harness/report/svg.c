/* report/svg.c: see report/svg.h. */
#include "report/svg.h"
#include <math.h>

void wb_svg_escaped(wb_text *svg, const char *text) {
  for (const char *p = text; *p; p++) {
    switch (*p) {
    case '<':
      wb_text_add(svg, "&lt;");
      break;
    case '>':
      wb_text_add(svg, "&gt;");
      break;
    case '&':
      wb_text_add(svg, "&amp;");
      break;
    case '"':
      wb_text_add(svg, "&quot;");
      break;
    default:
      wb_text_add_bytes(svg, p, 1);
    }
  }
}

void wb_svg_begin(wb_text *svg, double height, const char *heading, const char *origin, const char *device,
                  const char *style) {
  wb_text_add(svg,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %g\" width=\"%d\" height=\"%g\" "
              "role=\"img\">\n<title>",
              WB_SVG_WIDTH, height, WB_SVG_WIDTH, height);
  wb_svg_escaped(svg, heading);
  wb_text_add(svg,
              "</title>\n<style>\n"
              "svg { font: 12px system-ui, sans-serif; background: #fff; }\n"
              "text { fill: #222; } .title { font-weight: 600; } .axis { stroke: #666; fill: none; }\n"
              "%s"
              "@media (prefers-color-scheme: dark) { svg { background: #161616; } text { fill: #e6e6e6; } "
              ".axis { stroke: #aaa; } }\n"
              "</style>\n<text class=\"title\" x=\"16\" y=\"20\" font-size=\"14\">",
              style);
  wb_svg_escaped(svg, heading);
  wb_text_add(svg, "</text>\n<text x=\"16\" y=\"37\">%s ", origin);
  wb_svg_escaped(svg, device);
  wb_text_add(svg, "</text>\n");
}

double wb_svg_tick_step(double span) {
  const double rough = span / 6, power = pow(10, floor(log10(rough)));
  const double factor = rough / power;
  return power * (factor < 1.5 ? 1 : factor < 3.5 ? 2 : factor < 7.5 ? 5 : 10);
}
