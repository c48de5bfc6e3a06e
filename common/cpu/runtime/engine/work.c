/* Work of the libraries: queues it, and checks that the memory that it names exists. */
#include "engine/work.h"

#include <stdlib.h>
#include <string.h>

#include "cucc.h"

#include "base/clock.h"
#include "base/needed.h"
#include "base/options.h"
#include "state/counters.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "state/without.h"
#include "state/work_record.h"
#include "memory/arena.h"
#include "memory/shadow.h"
#include "memory/symbol.h"
#include "memory/values.h"
#include "checker/extents.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/stream.h"

const char *cucc_kind(void) { return CUCC_CHECKED ? "checked" : "fast"; }

void work_begins(struct work *work, const struct op *op) {
  if (work->op) return;
  work->op = op;
  check_work_begins(work);
}

static void work_execute(struct op *op) {
  const int device = op->stream->device;
  work_begins(op->work, op);
  symbols_enter(device); /* the address of a device variable may be among the arguments */
  const bool idle = without(CUCC_PRODUCTS) && strncmp(op->call, "cublas", 6) == 0;
  if (!idle && !op->work->run(op->work)) cucc_fault(cudaErrorIllegalAddress, device, op);
  symbols_leave(device);
}

cudaError_t work_put(const struct work *work, cudaStream_t stream, enum use use, struct op **queued) {
  struct CUstream_st *s;
  cudaError_t error = stream_use(work->call, stream, use, &s, work->site);
  if (error) return error;
  struct op *op = needed(calloc(1, sizeof *op));
  *op =
      (struct op){.kind = OP_WORK, .run = work_execute, .stream = s, .call = work->call, .site = work->site};
  op->work = memcpy(needed(malloc(work->size)), work, work->size);
  engine_queue(op); /* op is the engine's from here on */
  *queued = op;
  return cudaSuccess;
}

cudaError_t work_queue(const struct work *work, cudaStream_t stream, bool wait) {
  struct op *op;
  cudaError_t error = cucc_enter(work->call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  error = work_put(work, stream, USE_QUEUE, &op);
  if (!error && wait) {
    struct clock target = {0};
    clock_join(&target, &op->stream->clock);
    engine_wait(&target);
    clock_free(&target);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error || !wait ? error : cucc.sticky);
}

/* In one live allocation of device or pinned memory, in registered memory, or in a device variable. */
static bool range_valid(uintptr_t address, size_t size) {
  struct allocation a;
  struct device_variable v;
  if (symbol_find(address, &v))
    return v.given && address - v.start < v.size && size <= v.size - (address - v.start);
  return memory_find(address, &a) && !a.freed && address - a.start < a.size &&
         size <= a.size - (address - a.start);
}

static bool touch(struct work *work, const struct extent *e, bool writes) {
  if (e->rows <= 0 || e->columns <= 0) return true;
  const size_t span = (size_t)((e->columns - 1) * e->stride + e->rows) * e->element;
  if (range_valid((uintptr_t)e->at, span)) {
    count_touched(work->op, span, writes);
    check_work_touches(work, e, writes);
    return true;
  }
  check_bad_work(work, e, span, writes);
  return false;
}

bool work_reads(struct work *work, const struct extent *extent) { return touch(work, extent, false); }

bool work_writes(struct work *work, const struct extent *extent) { return touch(work, extent, true); }

bool work_host_value(const char *call, const char *name, const void *value, uintptr_t site) {
  struct allocation a;
  if (!is_device((uintptr_t)value) || !memory_find((uintptr_t)value, &a) || a.space != SPACE_DEVICE)
    return true;
  check_device_value(call, name, value, site);
  return false;
}

void work_finding(enum tool tool, const char *sentence, uintptr_t site, uintptr_t other_site,
                  const void *buffer, const char *cause) {
  check_library(tool, sentence, site, other_site, buffer, cause);
}

void work_module(void *handle) { check_module(handle); }
