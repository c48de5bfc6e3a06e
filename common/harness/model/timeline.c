/* model/timeline.c: see model/timeline.h. */
#include "model/timeline.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *wb_kind_name(wb_kind kind) {
  static const char *const names[] = {"h2d", "d2h", "d2d", "memset", "kernel"};
  return kind < WB_KINDS ? names[kind] : "unknown";
}

const char *wb_source_name(wb_source source) {
  return source == WB_MODELLED ? "modelled" : source == WB_MEASURED ? "measured" : "none";
}

void wb_timeline_free(wb_timeline *timeline) {
  free(timeline->list);
  *timeline = (wb_timeline){0};
}

static int by_start(const void *a, const void *b) {
  const wb_activity *x = a, *y = b;
  if (x->start_us != y->start_us) return x->start_us < y->start_us ? -1 : 1;
  return (x->stream > y->stream) - (x->stream < y->stream);
}

/* A moment at which an activity of some kind starts or ends. */
typedef struct moment {
  double at_us;
  int kind, change;
} moment;

static int by_time(const void *a, const void *b) {
  const moment *x = a, *y = b;
  if (x->at_us != y->at_us) return x->at_us < y->at_us ? -1 : 1;
  return x->change - y->change; /* ends before starts: activities that only touch don't overlap */
}

static void sweep(wb_timeline *timeline, moment *moments, size_t count) {
  qsort(moments, count, sizeof *moments, by_time);
  int running[WB_KINDS] = {0};
  for (size_t m = 0; m < count; m++) {
    const double length = m ? moments[m].at_us - moments[m - 1].at_us : 0;
    const bool to = running[WB_H2D] > 0, from = running[WB_D2H] > 0, kernel = running[WB_KERNEL] > 0;
    if (to || from) timeline->copy_us += length;
    if (kernel) timeline->kernel_us += length;
    if (kernel && (to || from)) timeline->overlap_us += length;
    if (to && from) timeline->two_way_us += length;
    running[moments[m].kind] += moments[m].change;
  }
}

/* Whether an activity belongs to the device, as a kernel or as a copy to or from another device. */
static int part_in(const wb_activity *a, int device) {
  if (a->kind == WB_KERNEL) return a->device == device ? WB_KERNEL : -1;
  return a->to_device >= 0 && (a->device == device || a->to_device == device) ? WB_D2D : -1;
}

/* Adds the times of one device's copies to and from others. moments: room for all. */
static void add_peers(wb_timeline *timeline, int device, moment *moments) {
  double first = INFINITY, last = -INFINITY;
  size_t count = 0;
  for (size_t i = 0; i < timeline->count; i++)
    if (part_in(&timeline->list[i], device) == WB_KERNEL) {
      first = fmin(first, timeline->list[i].start_us);
      last = fmax(last, timeline->list[i].end_us);
    }
  for (size_t i = 0; i < timeline->count; i++) {
    const wb_activity *a = &timeline->list[i];
    const int part = part_in(a, device);
    const double start = fmax(a->start_us, first), end = fmin(a->end_us, last);
    if (part < 0 || start >= end) continue;
    moments[count++] = (moment){start, part, 1};
    moments[count++] = (moment){end, part, -1};
  }
  qsort(moments, count, sizeof *moments, by_time);
  int running[WB_KINDS] = {0};
  for (size_t m = 0; m < count; m++) {
    const double length = m ? moments[m].at_us - moments[m - 1].at_us : 0;
    if (running[WB_D2D] > 0) timeline->peer_us += length;
    if (running[WB_D2D] > 0 && running[WB_KERNEL] > 0) timeline->hidden_us += length;
    running[moments[m].kind] += moments[m].change;
  }
}

/* Numbers the used streams 1, 2, 3 ... in the order of their creation. 0 stays the default stream. */
static void renumber(wb_timeline *timeline) {
  int above = 0; /* numbers up to this one are final */
  for (;;) {
    int next = 0;
    for (size_t i = 0; i < timeline->count; i++) {
      const int stream = timeline->list[i].stream;
      if (stream > above && (next == 0 || stream < next)) next = stream;
    }
    if (next == 0) return;
    above++;
    for (size_t i = 0; i < timeline->count; i++)
      if (timeline->list[i].stream == next) timeline->list[i].stream = above;
  }
}

void wb_timeline_figures(wb_timeline *timeline) {
  timeline->copy_us = timeline->kernel_us = timeline->overlap_us = timeline->two_way_us = timeline->span_us =
      timeline->peer_us = timeline->hidden_us = 0;
  if (timeline->count == 0) return;
  renumber(timeline);
  qsort(timeline->list, timeline->count, sizeof(wb_activity), by_start);
  const double origin = timeline->list[0].start_us;
  moment *moments = malloc(2 * timeline->count * sizeof *moments);
  if (!moments) return;
  for (size_t i = 0; i < timeline->count; i++) {
    wb_activity *a = &timeline->list[i];
    a->start_us -= origin;
    a->end_us = fmax(a->end_us - origin, a->start_us);
    timeline->span_us = fmax(timeline->span_us, a->end_us);
    moments[2 * i] = (moment){a->start_us, a->kind, 1};
    moments[2 * i + 1] = (moment){a->end_us, a->kind, -1};
  }
  sweep(timeline, moments, 2 * timeline->count);
  int devices = 1;
  for (size_t i = 0; i < timeline->count; i++) {
    if (timeline->list[i].device >= devices) devices = timeline->list[i].device + 1;
    if (timeline->list[i].to_device >= devices) devices = timeline->list[i].to_device + 1;
  }
  for (int device = 0; device < devices && devices > 1; device++) add_peers(timeline, device, moments);
  free(moments);
}
