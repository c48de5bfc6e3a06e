/*
 * Copies and fills: what they may touch, and when they happen.
 *
 * When the host's side is pageable memory, the device cannot read it by itself: a copy to the device takes
 * the bytes before the call returns, one from the device returns when it is done. With pinned memory both
 * happen later, when the stream gets there. What a copy may touch is checked when it is asked for; a bad one
 * returns an error and, in the checked build, says why.
 */
#include "engine/copy.h"

#include "cucc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/needed.h"
#include "base/time.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/op.h"
#include "state/sample.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "memory/given.h"
#include "memory/symbol.h"
#include "memory/values.h"
#include "checker/bad_copy.h"
#include "checker/misuse.h"
#include "checker/transfer.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/stream.h"

/* ---------------------------------------------------------------------------------------------- checks */

/* What a pointer is to a copy. Pinned, registered and managed memory may stand on either side. */
enum side { SIDE_HOST, SIDE_DEVICE, SIDE_PINNED, SIDE_MANAGED };

static enum side side_of(const void *p) {
  const uintptr_t address = (uintptr_t)p;
  struct device_variable v;
  if (is_device(address)) return SIDE_DEVICE;
  if (is_managed(address)) return SIDE_MANAGED;
  if (symbol_find(address, &v) && v.kind == VARIABLE_MANAGED) return SIDE_MANAGED;
  return in_arena(address) || memory_pinned(address, 1) ? SIDE_PINNED : SIDE_HOST;
}

/* The direction that the pointers ask for, or -1 when `kind` contradicts them. */
static int direction(enum side dst, enum side src, enum cudaMemcpyKind kind) {
  const bool to_host = dst != SIDE_DEVICE, from_host = src != SIDE_DEVICE;
  const bool to_device = dst != SIDE_HOST, from_device = src != SIDE_HOST;
  switch (kind) {
  case cudaMemcpyHostToHost:
    return to_host && from_host ? (int)kind : -1;
  case cudaMemcpyHostToDevice:
    return to_device && from_host ? (int)kind : -1;
  case cudaMemcpyDeviceToHost:
    return to_host && from_device ? (int)kind : -1;
  case cudaMemcpyDeviceToDevice:
    return to_device && from_device ? (int)kind : -1;
  case cudaMemcpyDefault: {
    const bool to = dst == SIDE_DEVICE || dst == SIDE_MANAGED;
    const bool from = src == SIDE_DEVICE || src == SIDE_MANAGED;
    return to ? (from ? cudaMemcpyDeviceToDevice : cudaMemcpyHostToDevice)
              : (from ? cudaMemcpyDeviceToHost : cudaMemcpyHostToHost);
  }
  }
  return -1;
}

/* Where the bytes go, whatever the call named: what is asked for within the device may end in pinned or
 * managed memory. */
static enum cudaMemcpyKind crossing(const struct transfer_request *r, int way) {
  const bool to = side_of(r->dst) == SIDE_DEVICE, from = side_of(r->src) == SIDE_DEVICE;
  if (way != cudaMemcpyDeviceToDevice || to == from) return (enum cudaMemcpyKind)way;
  return to ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
}

/* The range lies in one live allocation of the arena; other memory is the host's affair. */
static bool range_valid(uintptr_t address, size_t size) {
  struct allocation a;
  return in_arena(address) ? memory_contains(address, size, &a) && !a.free_issue : address != 0;
}

/* One side is pinned memory of the host, and the kind names the device for it. Drivers do such a copy; CUDA's
 * manual leaves it undefined. Memory whose device pointer the program asked for may be meant by that. */
static bool kind_misnames_pinned(const struct transfer_request *r) {
  struct allocation a;
  const bool to = r->kind == cudaMemcpyHostToDevice || r->kind == cudaMemcpyDeviceToDevice;
  const bool from = r->kind == cudaMemcpyDeviceToHost || r->kind == cudaMemcpyDeviceToDevice;
  return (to && memory_pinned((uintptr_t)r->dst, 1) && memory_find((uintptr_t)r->dst, &a) && !a.mapped) ||
         (from && memory_pinned((uintptr_t)r->src, 1) && memory_find((uintptr_t)r->src, &a) && !a.mapped);
}

/* How many bytes are both read and written. A copy to its own place changes nothing, and rows may lie between each
 * other. */
static size_t overlap_of(const struct transfer_request *r) {
  const uintptr_t to = (uintptr_t)r->dst, from = (uintptr_t)r->src;
  const size_t apart = to < from ? from - to : to - from;
  return r->src && !r->rows.height && apart && apart < r->bytes ? r->bytes - apart : 0;
}

static cudaError_t validate(const struct transfer_request *r, int *way) {
  const struct rows *const rows = &r->rows;
  const bool fill = !r->src;
  const enum side dst = side_of(r->dst), src = fill ? SIDE_DEVICE : side_of(r->src);
  *way = fill ? (dst == SIDE_HOST ? -1 : (int)cudaMemcpyDeviceToDevice) : direction(dst, src, r->kind);
  const size_t to = rows_span(rows, r->bytes, rows->dst_pitch, rows->dst_slice);
  const size_t from = rows_span(rows, r->bytes, rows->src_pitch, rows->src_slice);
  const bool to_good = range_valid((uintptr_t)r->dst, to);
  if (*way >= 0 && to_good && (fill || range_valid((uintptr_t)r->src, from))) {
    struct given array;
    const bool writes = given_left((uintptr_t)r->dst, to, &array);
    if (!writes && (fill || !given_left((uintptr_t)r->src, from, &array))) {
      if (!fill && kind_misnames_pinned(r)) check_kind(r->call, r->dst, r->src, r->bytes, r->site);
      if (overlap_of(r)) check_overlap(r->call, r->dst, r->bytes, overlap_of(r), r->site);
      return cudaSuccess;
    }
    check_array_left(r->call, &array, writes ? r->dst : r->src, writes ? to : from, writes, r->site);
    return cudaErrorInvalidValue;
  }
  check_bad_copy(r->call, r->dst, fill ? NULL : r->src, to_good ? from : to, *way < 0, r->site);
  return cudaErrorInvalidValue;
}

/* Where a copy goes that was asked for with an address from cudaGetSymbolAddress: to the device's value. */
static const void *value_of(const void *p) {
  struct device_variable v;
  if (!symbol_find((uintptr_t)p, &v) || !v.given) return p;
  const uintptr_t place = symbol_place((uintptr_t)p, device_current());
  return place ? (const void *)place : p;
}

/* ---------------------------------------------------------------------------------------------- transfers */

/* Memory of the host's side that the device reaches by itself. */
static bool direct(const void *p, size_t size) {
  const enum side side = side_of(p);
  return side == SIDE_MANAGED || (side == SIDE_PINNED && memory_pinned((uintptr_t)p, size));
}

/* The operation's own copy of the source, from the first row to the last. */
static bool stage(struct op *op, size_t span) {
  op->staging = malloc(span);
  if (op->staging) op->src = memcpy(op->staging, op->src, span);
  return op->staging != NULL;
}

static int slow_ms[2]; /* of copies to the device and back: cucc_slow_copies */
static size_t slow_bytes;

void cucc_slow_copies(int in_ms, int back_ms, size_t from_bytes) {
  __atomic_store_n(&slow_bytes, from_bytes, __ATOMIC_RELAXED);
  __atomic_store_n(&slow_ms[0], in_ms, __ATOMIC_RELAXED);
  __atomic_store_n(&slow_ms[1], back_ms, __ATOMIC_RELAXED);
}

/* Sleeps, as a thread may that waits for a GPU: the processor's clock does not see how slow a copy is. */
static void be_slow(const struct op *op) {
  if (!op->src || (op->crossing != cudaMemcpyHostToDevice && op->crossing != cudaMemcpyDeviceToHost)) return;
  const int ms = __atomic_load_n(&slow_ms[op->crossing == cudaMemcpyDeviceToHost], __ATOMIC_RELAXED);
  if (!ms || op->bytes < __atomic_load_n(&slow_bytes, __ATOMIC_RELAXED)) return;
  struct timespec rest = {0, ms * 1000000L};
  while (nanosleep(&rest, &rest) && errno == EINTR) continue;
}

static void copy_execute(struct op *op) {
  const size_t width = op->rows.height ? op->rows.width : op->bytes;
  if (sample_skips(op->bytes)) {
    if (!op->rows.height) sample_copied((uintptr_t)op->dst + op->bytes, op->site);
    return;
  }
  check_copy(op);
  for (size_t i = 0; i < rows_count(&op->rows); i++) {
    char *const to = (char *)op->dst + rows_destination(&op->rows, i);
    if (op->kind == OP_FILL)
      memset(to, op->value, width);
    else
      memmove(to, (const char *)op->src + rows_source(&op->rows, i), width);
  }
  be_slow(op);
}

static struct op *operation_of(const struct transfer_request *r, int way) {
  struct op *op = needed(calloc(1, sizeof *op));
  *op = (struct op){.kind = r->src ? OP_COPY : OP_FILL,
                    .run = copy_execute,
                    .call = r->call,
                    .site = r->site,
                    .dst = r->dst,
                    .src = r->src,
                    .from = r->src ? memory_device_of((uintptr_t)r->src) : -1,
                    .to = memory_device_of((uintptr_t)r->dst),
                    .serial = r->wait};
  op->rows = r->rows;
  op->rows.width = r->bytes;
  op->bytes = r->bytes * rows_count(&r->rows);
  op->value = r->value;
  op->direction = (enum cudaMemcpyKind)way;
  return op;
}

cudaError_t copy_transfer(const struct transfer_request *asked) {
  struct transfer_request resolved = *asked;
  const struct transfer_request *const r = &resolved;
  resolved.dst = (void *)(uintptr_t)value_of(asked->dst);
  resolved.src = value_of(asked->src);
  cudaError_t error = cucc_enter(r->call);
  if (error || r->bytes == 0) return error;
  int way;
  if ((error = validate(r, &way))) return cucc_fail(error);
  struct op *op = operation_of(r, way);
  op->origin = op->src;
  if (op->kind == OP_FILL && (r->value < -128 || r->value > 255))
    check_fill_value(r->call, r->value, r->site);
  const bool to_device = way == cudaMemcpyHostToDevice;
  const void *host = to_device ? r->src : way == cudaMemcpyDeviceToHost ? r->dst : NULL;
  const size_t span = rows_span(&r->rows, r->bytes, to_device ? r->rows.src_pitch : r->rows.dst_pitch,
                                to_device ? r->rows.src_slice : r->rows.dst_slice);
  const bool pinned = op->pinned = host && direct(host, span);
  if (r->src) op->crossing = crossing(r, way);
  bool wait = r->wait && op->kind != OP_FILL && way != cudaMemcpyDeviceToDevice;
  if (host && !op->pinned && !(to_device && !wait && stage(op, span))) wait = true;
  if (way == cudaMemcpyHostToHost) wait = true;
  pthread_mutex_lock(&cucc.lock);
  if ((error = stream_use(r->call, r->stream, r->wait ? USE_WAIT : USE_QUEUE, &op->stream, r->site))) {
    pthread_mutex_unlock(&cucc.lock);
    free(op->staging);
    free(op);
    return cucc_fail(error);
  }
  struct CUstream_st *s = op->stream;
  engine_queue(op); /* op is the engine's from here on */
  if (pinned && !s->capture) memory_set_copied((uintptr_t)host, s->slot, s->issued);
  if (wait) {
    count(COUNT_BLOCKING_COPIES);
    struct clock target = {0};
    clock_join(&target, &s->clock);
    engine_wait(&target);
    clock_free(&target);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(wait ? cucc.sticky : cudaSuccess);
}
