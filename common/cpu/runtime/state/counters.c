/* What was asked of the device: counted when the host asks, not when it runs. Guarded by cucc.lock, but for
 * the plain counts, which are atomic. */
#include "state/counters.h"

#include <string.h>

#include "base/json.h"
#include "base/kept.h"
#include "cucc.h"
#include "base/options.h"
#include "state/device.h"
#include "state/event.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/sample.h"
#include "state/state.h"
#include "state/streams.h"
#include "state/work_record.h"

struct kernel_entry {
  struct kernel_entry *next;
  const char *name, *file;
  int line, stream;
  uint3 grid, block;
  uint64_t launches;
};

enum way { H2D_PAGEABLE, H2D_PINNED, D2H_PAGEABLE, D2H_PINNED, D2D, WAYS };
static const char *const way_names[WAYS] = {"h2d_pageable", "h2d_pinned", "d2h_pageable", "d2h_pinned",
                                            "d2d"};

static uint64_t counts[COUNTERS], copies[WAYS], copied[WAYS], launches;
static uint64_t run;       /* launches since the host had waited for all work */
static const void *queues; /* a mark of the thread of the host that queued last */
static bool several_queue; /* threads of the host */
/* Copies between two devices: all; those between two without peer access, which go through the host; those by
 * calls without Async, which other work of the devices waits for. */
static struct { uint64_t count, bytes, staged_count, serial_count; } peers;

static struct {
  uint64_t launches, threads, multiplications, received_bytes, sent_bytes, library_bytes;
} devices[DEVICES_MAX];

/* The shapes of launches since cucc_forget_launches. */
static cucc_shape recent[CUCC_MOST_SHAPES + 1]; /* the last: of all shapes without a place */
static size_t recent_shapes, recent_launches;

static struct kernel_entry *kernels, **kernels_end = &kernels, *spare;

void count(enum counter which) { count_more(which, 1); }

uint64_t count_now(enum counter which) { return __atomic_load_n(&counts[which], __ATOMIC_RELAXED); }

void count_more(enum counter which, uint64_t by) { __atomic_add_fetch(&counts[which], by, __ATOMIC_RELAXED); }

void count_largest(enum counter which, uint64_t value) {
  uint64_t seen = __atomic_load_n(&counts[which], __ATOMIC_RELAXED);
  while (value > seen &&
         !__atomic_compare_exchange_n(&counts[which], &seen, value, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    continue;
}

void count_touched(const struct op *op, size_t bytes, bool writes) {
  if (!writes) count_more(COUNT_LIBRARY_READ_BYTES, bytes);
  __atomic_add_fetch(&devices[op->stream->device].library_bytes, bytes, __ATOMIC_RELAXED);
}

static void count_peer_copy(const struct op *op) {
  peers.count++;
  peers.bytes += op->bytes;
  peers.staged_count += !device_peers(op->from, op->to);
  peers.serial_count += op->serial;
  devices[op->from].sent_bytes += op->bytes;
  devices[op->to].received_bytes += op->bytes;
}

static void count_copy(const struct op *op) {
  enum way way;
  if (between_devices(op)) count_peer_copy(op);
  switch (op->crossing) {
  case cudaMemcpyHostToDevice:
    way = op->pinned || op->direction != op->crossing ? H2D_PINNED : H2D_PAGEABLE;
    break;
  case cudaMemcpyDeviceToHost:
    way = op->pinned || op->direction != op->crossing ? D2H_PINNED : D2H_PAGEABLE;
    break;
  case cudaMemcpyDeviceToDevice:
    way = D2D;
    break;
  default:
    return;
  }
  copies[way]++;
  if (way == H2D_PAGEABLE || way == D2H_PAGEABLE) count(COUNT_PAGEABLE_COPIES);
  if (way == D2H_PAGEABLE || way == D2H_PINNED) count(COUNT_COPIES_BACK);
  if (way != D2D) count_more(COUNT_COPIED_BYTES, op->bytes);
  copied[way] += op->bytes;
}

static bool same(uint3 a, uint3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Returns the place of its shape in `recent`. */
static int note_shape(const struct launch *l) {
  const cucc_shape shape = {.grid = {l->grid.x, l->grid.y, l->grid.z},
                            .block = {l->block.x, l->block.y, l->block.z}};
  recent_launches++;
  for (size_t i = 0; i < recent_shapes; i++)
    if (!memcmp(&recent[i], &shape, offsetof(cucc_shape, given_calls))) return (int)i;
  if (recent_shapes == CUCC_MOST_SHAPES) return CUCC_MOST_SHAPES;
  recent[recent_shapes] = shape;
  return (int)recent_shapes++;
}

void count_given_call(const struct launch *l) {
  __atomic_add_fetch(&recent[l->shape].given_calls, 1, __ATOMIC_RELAXED);
}

void cucc_forget_launches(void) {
  pthread_mutex_lock(&cucc.lock);
  recent_shapes = recent_launches = 0;
  recent[CUCC_MOST_SHAPES].given_calls = 0;
  pthread_mutex_unlock(&cucc.lock);
}

size_t cucc_launches(cucc_shape *shapes, size_t *count, uint64_t *given_calls) {
  pthread_mutex_lock(&cucc.lock);
  const size_t all = recent_launches;
  *count = recent_shapes;
  *given_calls = recent[CUCC_MOST_SHAPES].given_calls;
  for (size_t i = 0; i < recent_shapes; i++) *given_calls += recent[i].given_calls;
  memcpy(shapes, recent, recent_shapes * sizeof *shapes);
  pthread_mutex_unlock(&cucc.lock);
  return all;
}

static void count_launch(const struct op *op) {
  struct launch *l = op->launch;
  launches++;
  if (sampling()) sample_launched(l);
  l->shape = note_shape(l);
  if (!op->stream->launched) count(COUNT_LAUNCH_STREAMS);
  op->stream->launched = true;
  devices[op->stream->device].launches++;
  devices[op->stream->device].threads += (uint64_t)l->blocks * l->threads;
  for (struct kernel_entry *k = kernels; k; k = k->next)
    if (k->line == l->line && k->stream == op->stream->id && same(k->grid, l->grid) &&
        same(k->block, l->block) && !strcmp(k->name, l->name) && !strcmp(k->file, l->file)) {
      k->launches++;
      return;
    }
  struct kernel_entry *k = spare;
  if (k) spare = k->next;
  if (!k) k = kept(sizeof *k);
  *k = (struct kernel_entry){
      NULL, kept_text(l->name), kept_text(l->file), l->line, op->stream->id, l->grid, l->block, 1};
  *kernels_end = k;
  kernels_end = &k->next;
}

static void count_work(const struct op *op) {
  count(COUNT_LIBRARY_CALLS);
  count_more(COUNT_LIBRARY_MULTIPLICATIONS, op->work->multiplications);
  devices[op->stream->device].multiplications += op->work->multiplications;
}

/* Whether the host has waited for all that was queued before op. */
static bool all_waited_for(const struct op *op) {
  for (const struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (clock_get(&cucc.host, s->slot) < s->issued - (s == op->stream)) return false;
  return true;
}

/* Where several threads of the host queue, one may wait for its own work while the others go on. */
static void count_run(const struct op *op) {
  static __thread char me;
  several_queue |= queues && queues != &me;
  queues = &me;
  if (all_waited_for(op)) run = 0;
  if (op->kind == OP_KERNEL) run++;
  if (run > counts[COUNT_LONGEST_RUN]) counts[COUNT_LONGEST_RUN] = run;
}

static int own_calls;
void counters_own_calls(int are_own) { __atomic_store_n(&own_calls, are_own, __ATOMIC_RELAXED); }

/* A graph that a harness launches has the program's work. */
static void count_fill(const struct op *op) {
  const bool own = __atomic_load_n(&own_calls, __ATOMIC_RELAXED) && !op->of_graph;
  if ((op->value & 0xff) == 0xff && !own) count(COUNT_FILLS_OF_ONES);
}

void count_operation(const struct op *op) {
  if (op->kind == OP_COPY) count_copy(op);
  if (op->kind == OP_FILL) count_fill(op);
  if (op->kind == OP_HOST) count(COUNT_HOST_FUNCTIONS);
  if (op->kind == OP_WORK) count_work(op);
  if (op->kind == OP_KERNEL) count_launch(op);
  if (op->kind == OP_COPY || op->kind == OP_FILL || op->kind == OP_KERNEL || op->kind == OP_WORK) {
    count(COUNT_OPERATIONS);
    if (op->stream->legacy) count(COUNT_DEFAULT_OPERATIONS);
    if (!op->stream->legacy && !(op->stream->flags & cudaStreamNonBlocking)) count(COUNT_BLOCKING_OPERATIONS);
    count_run(op);
    if (op->of_graph) count(COUNT_GRAPH_OPERATIONS);
  }
}

void counters_reset(void) {
  *kernels_end = spare;
  spare = kernels;
  kernels = NULL;
  kernels_end = &kernels;
  launches = run = 0;
  queues = NULL;
  several_queue = false;
  memset(counts, 0, sizeof counts);
  memset(copies, 0, sizeof copies);
  memset(copied, 0, sizeof copied);
  memset(&peers, 0, sizeof peers);
  memset(devices, 0, sizeof devices);
}

void count_copies_text(wb_text *t) {
  static const char *const words[WAYS] = {
      "to the device from pageable memory", "to the device from pinned memory",
      "from the device to pageable memory", "from the device to pinned memory", "within the device"};
  pthread_mutex_lock(&cucc.lock);
  for (int i = 0; i < WAYS; i++)
    if (copies[i])
      wb_text_add(t, "profile: %llu bytes copied %s, in %llu cop%s\n", (unsigned long long)copied[i],
                  words[i], (unsigned long long)copies[i], copies[i] == 1 ? "y" : "ies");
  pthread_mutex_unlock(&cucc.lock);
}

/* What was asked for, from the launches to the live streams. With cucc.lock held. */
static void add_launches(wb_text *t) {
  wb_text_add(t, "{\"launches\":%llu,\"kernels\":[", (unsigned long long)launches);
  for (const struct kernel_entry *k = kernels; k; k = k->next) {
    wb_text_add(t, "%s{\"name\":", k == kernels ? "" : ",");
    json_string(t, k->name);
    wb_text_add(t, ",\"file\":");
    json_string(t, k->file);
    wb_text_add(t, ",\"line\":%d,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"launches\":%llu,\"stream\":%d}",
                k->line, k->grid.x, k->grid.y, k->grid.z, k->block.x, k->block.y, k->block.z,
                (unsigned long long)k->launches, k->stream);
  }
  wb_text_add(t, "],\"copies\":{");
  for (int i = 0; i < WAYS; i++)
    wb_text_add(t, "%s\"%s_bytes\":%llu,\"%s_count\":%llu", i ? "," : "", way_names[i],
                (unsigned long long)copied[i], way_names[i], (unsigned long long)copies[i]);
}

static void add_devices(wb_text *t) {
  wb_text_add(
      t,
      ",\"peers\":{\"count\":%llu,\"bytes\":%llu,\"staged_count\":%llu,\"serial_count\":%llu},\"devices\":[",
      (unsigned long long)peers.count, (unsigned long long)peers.bytes,
      (unsigned long long)peers.staged_count, (unsigned long long)peers.serial_count);
  for (int d = 0; d < options()->devices; d++)
    wb_text_add(t,
                "%s{\"launches\":%llu,\"threads\":%llu,\"multiplications\":%llu,\"received_bytes\":%llu,"
                "\"sent_bytes\":%llu,\"library_bytes\":%llu}",
                d ? "," : "", (unsigned long long)devices[d].launches, (unsigned long long)devices[d].threads,
                (unsigned long long)devices[d].multiplications, (unsigned long long)devices[d].received_bytes,
                (unsigned long long)devices[d].sent_bytes, (unsigned long long)devices[d].library_bytes);
  wb_text_add(t, "]");
}

/* Those that have a name of their own in the JSON. */
static const struct {
  const char *name;
  enum counter which;
} named[] = {{"device_allocations", COUNT_DEVICE_ALLOCATIONS},
             {"pinned_allocations", COUNT_PINNED_ALLOCATIONS},
             {"streams_created", COUNT_STREAMS},
             {"events_created", COUNT_EVENTS},
             {"pinned_bytes", COUNT_PINNED_BYTES},
             {"registrations", COUNT_REGISTRATIONS},
             {"largest_registration", COUNT_LARGEST_REGISTRATION},
             {"freed_while_copied", COUNT_FREED_WHILE_COPIED},
             {"device_synchronisations", COUNT_DEVICE_SYNCHRONISATIONS},
             {"blocking_copies", COUNT_BLOCKING_COPIES},
             {"fills_of_ones", COUNT_FILLS_OF_ONES},
             {"host_functions", COUNT_HOST_FUNCTIONS},
             {"given_calls", COUNT_GIVEN_CALLS},
             {"given_callers", COUNT_GIVEN_CALLERS},
             {"stream_allocations", COUNT_STREAM_ALLOCATIONS},
             {"compilations", COUNT_COMPILATIONS},
             {"module_loads", COUNT_MODULES},
             {"module_launches", COUNT_MODULE_LAUNCHES},
             {"handles_created", COUNT_HANDLES},
             {"library_calls", COUNT_LIBRARY_CALLS},
             {"library_read_bytes", COUNT_LIBRARY_READ_BYTES},
             {"tf32_calls", COUNT_TF32_CALLS},
             {"library_multiplications", COUNT_LIBRARY_MULTIPLICATIONS},
             {"tf32_multiplications", COUNT_TF32_MULTIPLICATIONS},
             {"tensor_products", COUNT_TENSOR_PRODUCTS},
             {"operations", COUNT_OPERATIONS},
             {"graph_operations", COUNT_GRAPH_OPERATIONS},
             {"graph_launches", COUNT_GRAPH_LAUNCHES},
             {"default_stream_operations", COUNT_DEFAULT_OPERATIONS},
             {"blocking_stream_operations", COUNT_BLOCKING_OPERATIONS},
             {"launch_streams", COUNT_LAUNCH_STREAMS},
             {"pageable_copies", COUNT_PAGEABLE_COPIES},
             {"copies_back", COUNT_COPIES_BACK},
             {"copied_bytes", COUNT_COPIED_BYTES},
             {"synchronisations", COUNT_SYNCHRONISATIONS}};

uint64_t cucc_library_calls(void) { return count_now(COUNT_LIBRARY_CALLS); }

uint64_t cucc_counted(const char *name) {
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    if (!strcmp(name, named[i].name)) return count_now(named[i].which);
  return 0;
}

void counters_json(wb_text *t, size_t live_bytes) {
  size_t streams = 0, events = 0;
  add_launches(t);
  for (struct CUstream_st *s = cucc.streams; s; s = s->next) streams += !s->internal && !s->destroyed;
  for (struct CUevent_st *e = cucc.events; e; e = e->next) events += !e->destroyed;
  wb_text_add(t, "}");
  for (size_t i = 0; i < sizeof named / sizeof *named; i++)
    wb_text_add(t, ",\"%s\":%llu", named[i].name, (unsigned long long)counts[named[i].which]);
  add_devices(t);
  wb_text_add(t, ",\"longest_run\":%llu",
              (unsigned long long)(several_queue ? launches : counts[COUNT_LONGEST_RUN]));
  wb_text_add(t, ",\"live_device_bytes\":%zu,\"live_streams\":%zu,\"live_events\":%zu", live_bytes, streams,
              events);
}
