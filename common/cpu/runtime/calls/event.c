/*
 * Events: each record is an operation in its stream, and the event keeps the clock of what came before it.
 *
 * A destroyed event stays known for a while, so that its use can be distinguished from an invalid handle.
 */
#include "base/base.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/kept.h"
#include "base/needed.h"
#include "base/time.h"
#include "state/capture.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/event.h"
#include "state/graph.h"
#include "state/op.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "checker/awaited.h"
#include "checker/misuse.h"
#include "checker/refused.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/injected.h"
#include "engine/stream.h"

#define DESTROYED_KEPT 64

static int destroyed_count;

static struct CUevent_st *event_of(cudaEvent_t handle) {
  for (struct CUevent_st *e = cucc.events; e; e = e->next)
    if (e == handle) return e;
  return NULL;
}

/* Takes the lock and finds the event; on an error the lock is not held. */
static cudaError_t event_enter(const char *call, cudaEvent_t handle, struct CUevent_st **e, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  *e = event_of(handle);
  if (*e && !(*e)->destroyed) return cudaSuccess;
  if (*e)
    check_bad_handle(call, "is given an event that was destroyed",
                     "an event destroyed before its last use: destroy it when the work is done", site,
                     (*e)->destroyed_site);
  else if (handle)
    check_bad_handle(call, "is given an event that was never created", WITHOUT_VALUE, site, 0);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cudaErrorInvalidResourceHandle);
}

/* The oldest destroyed event, to be used again, or a new one. */
static struct CUevent_st *event_take(void) {
  struct CUevent_st **link = &cucc.events, **oldest = NULL;
  if (destroyed_count < DESTROYED_KEPT) return kept(sizeof(struct CUevent_st));
  for (; *link; link = &(*link)->next)
    if ((*link)->destroyed) oldest = link;
  struct CUevent_st *e = *oldest;
  *oldest = e->next;
  destroyed_count--;
  return e;
}

static cudaError_t event_create(const char *call, cudaEvent_t *event, unsigned flags, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!event || (flags & ~(unsigned)(cudaEventBlockingSync | cudaEventDisableTiming)))
    return cucc_fail(cudaErrorInvalidValue);
  pthread_mutex_lock(&cucc.lock);
  struct CUevent_st *e = event_take();
  *e = (struct CUevent_st){.device = device_current(),
                           .flags = flags,
                           .site = site,
                           .epoch = cucc.epoch,
                           /* an operation of the event that was here before is none of this one's */
                           .recordings = e->recordings,
                           .reached = e->recordings,
                           .next = cucc.events};
  cucc.events = e;
  count(COUNT_EVENTS);
  pthread_mutex_unlock(&cucc.lock);
  *event = e;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
  return event_create("cudaEventCreate", event, cudaEventDefault, CALLER);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags) {
  return event_create("cudaEventCreateWithFlags", event, flags, CALLER);
}

/* What waits for the event goes on waiting: it has a copy of the clock. */
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  struct CUevent_st *e;
  cudaError_t error = event_enter("cudaEventDestroy", event, &e, CALLER);
  if (error) return error;
  e->destroyed = true;
  e->destroyed_site = CALLER;
  clock_free(&e->clock);
  nodes_free(&e->point);
  destroyed_count++;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

/* The engine got to a record. */
static void event_reached(struct op *op) {
  pthread_mutex_lock(&cucc.lock);
  struct CUevent_st *e = op->event;
  if (op->recording > e->reached) {
    e->reached = op->recording;
    e->time_ms = now_ms();
  }
  pthread_mutex_unlock(&cucc.lock);
}

static cudaError_t event_record(const char *call, cudaEvent_t event, cudaStream_t stream, uintptr_t site) {
  struct CUevent_st *e;
  cudaError_t error = event_enter(call, event, &e, site);
  if (error) return error;
  struct CUstream_st *s;
  error = stream_use(call, stream, USE_QUEUE, &s, site);
  if (!error && s->device != e->device) {
    error = cudaErrorInvalidResourceHandle;
    check_bad_handle(call, "is given an event of one device and a stream of another",
                     "an event belongs to the device that was current when it was created: cudaSetDevice "
                     "first, or an event for each device",
                     site, e->site);
  }
  if (!error && !capture_record(e, s)) {
    struct op *op = needed(calloc(1, sizeof *op));
    *op = (struct op){
        .kind = OP_EVENT, .run = event_reached, .stream = s, .call = call, .site = site, .event = e};
    op->recording = ++e->recordings;
    e->record_idle = s->issued == s->marked;
    engine_queue(op);
    e->recorded = true;
    e->record_stream = s->id;
    e->record_seq = op->seq;
    e->record_site = site;
    s->marked = s->issued;
    clock_free(&e->clock);
    clock_join(&e->clock, &s->clock);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return event_record("cudaEventRecord", event, stream, CALLER);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  if (flags & ~(unsigned)cudaEventRecordExternal) return cucc_refuse(cudaErrorInvalidValue);
  return event_record("cudaEventRecordWithFlags", event, stream, CALLER);
}

/* Whatever is asked of the stream from now on comes after the event: its clock says so, no operation needed.
 * Events work across devices. */
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  struct CUevent_st *e;
  if (flags & ~(unsigned)cudaEventWaitExternal) return cucc_refuse(cudaErrorInvalidValue);
  cudaError_t error = event_enter("cudaStreamWaitEvent", event, &e, CALLER);
  if (error) return error;
  struct CUstream_st *s;
  error = stream_use("cudaStreamWaitEvent", stream, USE_QUEUE, &s, CALLER);
  if (!error && (s->capture || e->capture))
    error = capture_wait(s, e);
  else if (!error) {
    awaited_event(s->id, e, CALLER);
    clock_join(&s->clock, &e->clock);
    if (s->legacy) clock_join(&cucc.legacy[s->device], &e->clock);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  struct CUevent_st *e;
  cudaError_t error = event_enter("cudaEventSynchronize", event, &e, CALLER);
  if (error) return error;
  if (e->capture) {
    error = capture_ask(e);
    pthread_mutex_unlock(&cucc.lock);
    return cucc_fail(error);
  }
  struct clock target = {0};
  clock_join(&target, &e->clock);
  awaited_event(WAITS_HOST, e, CALLER);
  count(COUNT_SYNCHRONISATIONS);
  engine_wait(&target);
  clock_free(&target);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(late_error(cucc.sticky));
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  struct CUevent_st *e;
  cudaError_t error = event_enter("cudaEventQuery", event, &e, CALLER);
  if (error) return error;
  if (e->capture) {
    error = capture_ask(e);
    pthread_mutex_unlock(&cucc.lock);
    return cucc_fail(error);
  }
  const bool reached = engine_reached(&e->clock);
  if (reached) count(COUNT_SYNCHRONISATIONS);
  if (reached) awaited_event(WAITS_HOST, e, CALLER);
  return stream_answer(reached);
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  const uintptr_t site = CALLER;
  struct CUevent_st *a, *b;
  cudaError_t error = event_enter("cudaEventElapsedTime", start, &a, CALLER);
  if (error) return error;
  b = event_of(end);
  if (!ms)
    error = cudaErrorInvalidValue;
  else if (a->capture || (b && b->capture))
    error = capture_ask(a->capture ? a : b);
  else if (!b || b->destroyed || !a->recorded || !b->recorded || a->device != b->device ||
           ((a->flags | b->flags) & cudaEventDisableTiming))
    error = cudaErrorInvalidResourceHandle;
  else if (!engine_reached(&a->clock) || !engine_reached(&b->clock)) {
    error = cudaErrorNotReady;
    check_time(site, false);
  } else {
    *ms = (float)(b->time_ms - a->time_ms);
    check_time(site, true);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}
