/* report/timeline_text.c: see report/timeline_text.h. */
#include "report/timeline_text.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLUMNS 72

/* Whether the timeline has an activity of this kind. */
static bool has(const wb_timeline *timeline, wb_kind kind) {
  for (size_t i = 0; i < timeline->count; i++)
    if (timeline->list[i].kind == kind) return true;
  return false;
}

static bool has_copies_between_devices(const wb_timeline *timeline) {
  for (size_t i = 0; i < timeline->count; i++) {
    const wb_activity *a = &timeline->list[i];
    if (a->kind == WB_D2D && a->to_device >= 0 && a->to_device != a->device) return true;
  }
  return false;
}

static void add_row(const wb_timeline *timeline, int stream, int indent, wb_text *text) {
  char row[COLUMNS + 1];
  memset(row, ' ', COLUMNS);
  row[COLUMNS] = '\0';
  const double scale = timeline->span_us > 0 ? COLUMNS / timeline->span_us : 0;
  for (size_t i = 0; i < timeline->count; i++) {
    const wb_activity *a = &timeline->list[i];
    if (a->stream != stream) continue;
    int from = (int)(a->start_us * scale), to = (int)ceil(a->end_us * scale);
    if (from >= COLUMNS) from = COLUMNS - 1;
    if (to > COLUMNS) to = COLUMNS;
    if (to <= from) to = from + 1; /* even a short one is visible */
    memset(row + from, "HD=mK"[a->kind], (size_t)(to - from));
  }
  wb_text_add(text, "%*sstream %-2d |%s|\n", indent, "", stream, row);
}

/* The axis: 0, a tick every quarter, and the span in a suitable unit. */
static void add_axis(const wb_timeline *timeline, int indent, wb_text *text) {
  char axis[COLUMNS + 1];
  memset(axis, '-', COLUMNS);
  axis[COLUMNS] = '\0';
  for (int quarter = 1; quarter < 4; quarter++) axis[quarter * COLUMNS / 4] = '+';
  wb_text_add(text, "%*s          +%s+\n", indent, "", axis);
  const bool milli = timeline->span_us >= 1000;
  wb_text_add(text, "%*s          0", indent, "");
  for (int quarter = 1; quarter <= 4; quarter++) {
    char label[24];
    const double us = timeline->span_us * quarter / 4;
    const int digits =
        milli ? snprintf(label, sizeof label, "%.3g", us / 1000) : snprintf(label, sizeof label, "%.3g", us);
    wb_text_add(text, "%*s%s", COLUMNS / 4 - (quarter == 1 ? digits / 2 : 0) - (quarter > 1 ? digits : 0), "",
                label);
  }
  wb_text_add(text, milli ? " ms\n" : " us\n");
}

void wb_timeline_text(const wb_timeline *timeline, const char *device, int indent, wb_text *text) {
  if (timeline->source == WB_NO_TIMELINE) return;
  wb_text_add(text, "%*stimeline, %s %s: H to the device, K kernel, D to the host%s%s%s\n", indent, "",
              timeline->source == WB_MEASURED ? "measured on" : "modelled (not measured) on", device,
              has_copies_between_devices(timeline) ? ", = between devices"
              : has(timeline, WB_D2D)              ? ", = within the device"
                                                   : "",
              has(timeline, WB_MEMSET) ? ", m memset" : "", timeline->count ? "" : ": nothing ran there");
  if (timeline->count == 0) return;
  int last = 0;
  for (size_t i = 0; i < timeline->count; i++)
    if (timeline->list[i].stream > last) last = timeline->list[i].stream;
  int rows = 0;
  for (int stream = 0; stream <= last; stream++) {
    bool used = false;
    for (size_t i = 0; i < timeline->count && !used; i++) used = timeline->list[i].stream == stream;
    if (used && rows++ < 16) add_row(timeline, stream, indent, text);
  }
  if (rows > 16) wb_text_add(text, "%*s(%d more streams)\n", indent, "", rows - 16);
  add_axis(timeline, indent, text);
  wb_text_add(
      text,
      "%*scopies %.4g us, kernels %.4g us, both at once %.4g us, copies both ways %.4g us, in all %.4g us\n",
      indent, "", timeline->copy_us, timeline->kernel_us, timeline->overlap_us, timeline->two_way_us,
      timeline->span_us);
  if (timeline->peer_us > 0)
    wb_text_add(text,
                "%*scopies between devices %.4g us, of which kernels hide %.4g us (summed over the devices "
                "at work)\n",
                indent, "", timeline->peer_us, timeline->hidden_us);
}
