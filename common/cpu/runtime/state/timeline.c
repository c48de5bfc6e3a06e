/*
 * The modelled timeline: when a GPU would have done what the program asked. A model, not a measurement.
 *
 *   host   --call--call--call----------------(waits)-->
 *   h2d      [copy 1][copy 2]
 *   kernel           [kernel 1][kernel 2]
 *   d2h                        [copy 1]  [copy 2]
 *
 * Each device has five engines, each of which does one thing at a time: copies to the device, copies from
 * it, everything within it, and what it sends to other devices and gets from them. An operation starts when the host has asked for it, when all that must come
 * before it (stream order, events, the default stream's rule) has ended, and when its engine has a gap that
 * is long enough. The clocks that order operations carry these times along (struct clock, `us`).
 */
#include "state/timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "base/options.h"
#include "base/places.h"
#include "state/device.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "cucc.h"

/* The constants of the model: a PCIe 4.0 card of the middle range, rounded. */
#define CALL_US               2.0  /* host time of one asynchronous call, unless cucc_call_time set another */
#define COPY_US               10.0 /* of any copy between host and device, plus bytes over the link: */
#define LINK_BYTES_PER_US     25000.0  /* pinned: 25 GB/s */
#define PAGEABLE_BYTES_PER_US 10000.0  /* pageable: 10 GB/s, and the host waits */
#define DEVICE_BYTES_PER_US   800000.0 /* memset and copies within the device: 800 GB/s */
#define PEER_US               2.0 /* of a copy between devices with peer access, plus bytes over the link */
#define KERNEL_US             5.0 /* of any kernel, plus for each thread: */
#define THREAD_US             0.00002 /* 0.02 ns, in which the device moves 16 bytes */
#define GAPS                  64      /* how many busy periods an engine remembers to look for gaps */

struct engine {
  struct {
    double start, end;
  } busy[GAPS]; /* in order of time */
  int count;
  double closed; /* nothing may start before: older periods were forgotten */
};

struct entry {
  struct cucc_activity activity;
  uintptr_t site;
};

enum { INTO, OUT_OF, WITHIN, SENDING, GETTING, ENGINES };

static struct engine engines[DEVICES_MAX][ENGINES];
static struct entry *entries;
static size_t entry_count, entry_room;
static double origin, call_us = CALL_US;

/* The start of the first gap of `duration` at or after `ready`, and its place among the busy periods. */
static double gap(const struct engine *e, double ready, double duration, int *place) {
  double start = ready > e->closed ? ready : e->closed;
  int i = 0;
  for (; i < e->count; i++) {
    if (start + duration <= e->busy[i].start) break;
    if (e->busy[i].end > start) start = e->busy[i].end;
  }
  *place = i;
  return start;
}

/* The same; takes the gap. */
static double take(struct engine *e, double ready, double duration) {
  int i;
  double start = gap(e, ready, duration, &i);
  if (e->count == GAPS) {
    e->closed = e->busy[0].end;
    memmove(e->busy, e->busy + 1, (GAPS - 1) * sizeof *e->busy);
    e->count--;
    if (i > 0) i--;
    if (start < e->closed) start = e->closed;
  }
  memmove(e->busy + i + 1, e->busy + i, (size_t)(e->count - i) * sizeof *e->busy);
  e->busy[i].start = start;
  e->busy[i].end = start + duration;
  e->count++;
  return start;
}

/* From the first moment at which both have a gap. */
static double take_both(struct engine *a, struct engine *b, double ready, double duration) {
  int place;
  for (double last = -1; ready != last;) {
    last = ready;
    ready = gap(b, gap(a, ready, duration, &place), duration, &place);
  }
  take(a, ready, duration);
  return take(b, ready, duration);
}

/* Without peer access the bytes go through the host: from one device, then to the other. */
static double peer_duration(const struct op *op) {
  if (device_peers(op->from, op->to)) return PEER_US + (double)op->bytes / LINK_BYTES_PER_US;
  return 2 * (COPY_US + (double)op->bytes / LINK_BYTES_PER_US);
}

static double duration_of(const struct op *op, int *kind, int *engine) {
  if (op->kind == OP_KERNEL) {
    *kind = 4;
    *engine = WITHIN;
    return KERNEL_US + THREAD_US * (double)op->launch->blocks * op->launch->threads;
  }
  if (op->kind == OP_WORK) {
    *kind = 4;
    *engine = WITHIN;
    return KERNEL_US;
  }
  *kind = op->kind == OP_FILL                       ? 3
          : op->direction == cudaMemcpyHostToDevice ? 0
          : op->direction == cudaMemcpyDeviceToHost ? 1
                                                    : 2;
  *engine = *kind < 2 ? *kind : WITHIN;
  if (between_devices(op)) return peer_duration(op);
  if (*kind >= 2) return KERNEL_US + (double)op->bytes / DEVICE_BYTES_PER_US;
  return COPY_US + (double)op->bytes / (op->pinned ? LINK_BYTES_PER_US : PAGEABLE_BYTES_PER_US);
}

void timeline_add(struct op *op) {
  if (!op->in_graph) cucc.host.us += call_us; /* a graph's operations go out together */
  if (op->clock.us < cucc.host.us) op->clock.us = cucc.host.us;
  if (op->kind == OP_EVENT || op->kind == OP_HOST || op->kind == OP_ALLOCATE || op->kind == OP_FREE ||
      (op->kind == OP_COPY && op->direction == cudaMemcpyHostToHost))
    return;
  int kind, engine;
  const double duration = duration_of(op, &kind, &engine);
  const bool peers = between_devices(op);
  const double start =
      peers ? take_both(&engines[op->from][SENDING], &engines[op->to][GETTING], op->clock.us, duration)
            : take(&engines[op->stream->device][engine], op->clock.us, duration);
  op->clock.us = start + duration;
  if (kind < 2 && !op->pinned)
    cucc.host.us = op->clock.us; /* pageable: the call returns when the bytes have gone through */
  if (entry_count == entry_room) {
    entry_room = entry_room ? 2 * entry_room : 256;
    entries = needed(realloc(entries, entry_room * sizeof *entries));
  }
  struct entry *e = &entries[entry_count++];
  *e = (struct entry){.site = op->site};
  e->activity = (struct cucc_activity){.kind = kind,
                                       .device = peers ? op->from : op->stream->device,
                                       .to_device = peers ? op->to : -1,
                                       .stream = op->stream->id,
                                       .start_us = start,
                                       .end_us = op->clock.us,
                                       .bytes = op->bytes,
                                       .pinned = op->pinned};
  snprintf(e->activity.name, sizeof e->activity.name, "%s", op->call);
  if (op->kind == OP_KERNEL) {
    snprintf(e->activity.file, sizeof e->activity.file, "%s", op->launch->file);
    e->activity.line = op->launch->line;
    e->site = 0;
  }
}

bool timeline_beside_copies(const struct op *op) {
  int kind, engine;
  bool beside = false;
  pthread_mutex_lock(&cucc.lock);
  const double start = op->clock.us - duration_of(op, &kind, &engine);
  double bytes = 0, copies = 0;
  for (size_t i = 0; i < entry_count; i++) {
    if (entries[i].activity.to_device < 0) continue;
    bytes += (double)entries[i].activity.bytes;
    copies++;
  }
  for (size_t i = 0; i < entry_count && !beside; i++) {
    const struct cucc_activity *a = &entries[i].activity;
    const bool here =
        a->to_device >= 0 && (double)a->bytes * copies <= 2 * bytes && a->device == op->launch->device;
    const double first = a->start_us > start ? a->start_us : start;
    const double last = a->end_us < op->clock.us ? a->end_us : op->clock.us;
    beside = here && 2 * (last - first) >= a->end_us - a->start_us;
  }
  pthread_mutex_unlock(&cucc.lock);
  return beside;
}

void cucc_call_time(double us) { call_us = us < 0 ? CALL_US : us; }

void timeline_reset(void) {
  entry_count = 0;
  origin = cucc.host.us;
}

size_t timeline_sites(uintptr_t *sites, size_t most) {
  for (size_t i = 0; i < entry_count && i < most; i++) sites[i] = entries[i].site;
  return entry_count;
}

static void prepare_places(size_t count) {
  uintptr_t *sites = needed(calloc(count + 1, sizeof *sites));
  timeline_sites(sites, count);
  places_prepare(sites, count);
  free(sites);
}

size_t cucc_timeline(cucc_activity *out, size_t capacity) {
  pthread_mutex_lock(&cucc.lock);
  const size_t n = entry_count;
  prepare_places(n < capacity ? n : capacity);
  for (size_t i = 0; i < n && i < capacity; i++) {
    struct cucc_activity *a = &entries[i].activity;
    if (entries[i].site) {
      const struct place p = place_of(entries[i].site);
      snprintf(a->file, sizeof a->file, "%.63s", p.file);
      a->line = p.line;
      entries[i].site = 0;
    }
    out[i] = *a;
    out[i].start_us -= origin;
    out[i].end_us -= origin;
  }
  pthread_mutex_unlock(&cucc.lock);
  return n;
}
