/* Streams and events: handles, clocks, and waiting. */
#include "runtime.h"

#include <stdlib.h>

#include "check.h"

#define STREAM_MAGIC 0x57ea3u
#define EVENT_MAGIC  0xe7e47u

static __thread struct CUstream_st *per_thread;

/* ---------------------------------------------------------------------------------------------- streams */

struct CUstream_st *stream_new(unsigned flags, int priority, bool internal, uintptr_t site) {
  static int ids;
  static uint32_t slots;
  struct CUstream_st **link = &cucc.streams, *s = NULL;
  for (; *link; link = &(*link)->next)
    if ((*link)->destroyed && (*link)->completed == (*link)->issued)
      s = *link; /* its slot in the clocks is used again, and goes on counting */
  if (!s) {
    s = *link = calloc(1, sizeof *s);
    s->slot = slots++;
    if (slots == HOST_SLOT) slots++;
  }
  s->magic = STREAM_MAGIC;
  s->id = ids++;
  s->flags = flags;
  s->priority = priority;
  s->internal = internal;
  s->destroyed = false;
  s->site = site;
  s->epoch = cucc.epoch;
  return s;
}

static struct CUstream_st *default_stream(void) {
  return cucc.streams ? cucc.streams : stream_new(cudaStreamDefault, 0, true, 0);
}

struct CUstream_st *stream_of(cudaStream_t handle) {
  struct CUstream_st *first = default_stream();
  if (!handle || handle == cudaStreamLegacy) return first;
  if (handle == cudaStreamPerThread) {
    if (!per_thread) per_thread = stream_new(cudaStreamDefault, 0, true, 0);
    return per_thread;
  }
  for (struct CUstream_st *s = first->next; s; s = s->next)
    if (s == handle && !s->destroyed) return s;
  return NULL;
}

void stream_join_all(struct clock *all) {
  for (struct CUstream_st *s = cucc.streams; s; s = s->next) clock_join(all, &s->clock);
}

static cudaError_t stream_create(const char *call, cudaStream_t *stream, unsigned flags, int priority,
                                 uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!stream || (flags & ~(unsigned)cudaStreamNonBlocking)) return cucc_fail(cudaErrorInvalidValue);
  pthread_mutex_lock(&cucc.lock);
  default_stream();
  *stream = stream_new(flags, priority < -5 ? -5 : priority > 0 ? 0 : priority, false, site);
  count(COUNT_STREAMS);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t *stream) {
  return stream_create("cudaStreamCreate", stream, cudaStreamDefault, 0, CALLER);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags) {
  return stream_create("cudaStreamCreateWithFlags", stream, flags, 0, CALLER);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority) {
  return stream_create("cudaStreamCreateWithPriority", stream, flags, priority, CALLER);
}

/* Takes the lock and finds the stream; on an error the lock is not held. */
static cudaError_t stream_enter(const char *call, cudaStream_t handle, struct CUstream_st **s) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  if ((*s = stream_of(handle))) return cudaSuccess;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cudaErrorInvalidResourceHandle);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamDestroy", stream, &s);
  if (error) return error;
  if (s->internal)
    error = cucc_fail(cudaErrorInvalidResourceHandle);
  else
    s->destroyed = true; /* its work still runs */
  pthread_mutex_unlock(&cucc.lock);
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamSynchronize", stream, &s);
  if (error) return error;
  struct clock target = {0};
  clock_join(&target, &s->clock);
  count(COUNT_SYNCHRONISATIONS);
  engine_wait(&target);
  clock_free(&target);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cucc.sticky);
}

cudaError_t cudaDeviceSynchronize(void) {
  cudaError_t error = cucc_enter("cudaDeviceSynchronize");
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  struct clock target = {0};
  stream_join_all(&target);
  count(COUNT_SYNCHRONISATIONS);
  engine_wait(&target);
  clock_free(&target);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cucc.sticky);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamQuery", stream, &s);
  if (error) return error;
  const bool reached = engine_reached(&s->clock);
  pthread_mutex_unlock(&cucc.lock);
  return cucc.sticky ? cucc_fail(cucc.sticky) : reached ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamGetFlags", stream, &s);
  if (error) return error;
  *flags = s->flags;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamGetPriority", stream, &s);
  if (error) return error;
  *priority = s->priority;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  if (least) *least = 0;
  if (greatest) *greatest = -5;
  return cucc_enter("cudaDeviceGetStreamPriorityRange");
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user_data) {
  if (!function) return cucc_fail(cudaErrorInvalidValue);
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaLaunchHostFunc", stream, &s);
  if (error) return error;
  struct op *op = calloc(1, sizeof *op);
  *op = (struct op){.kind = OP_HOST, .stream = s, .call = "cudaLaunchHostFunc", .site = CALLER};
  op->function = function;
  op->user_data = user_data;
  engine_queue(op);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

/* ---------------------------------------------------------------------------------------------- events */

static struct CUevent_st *event_of(cudaEvent_t handle) {
  for (struct CUevent_st *e = cucc.events; e; e = e->next)
    if (e == handle) return e;
  return NULL;
}

static cudaError_t event_enter(const char *call, cudaEvent_t handle, struct CUevent_st **e) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  if ((*e = event_of(handle))) return cudaSuccess;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cudaErrorInvalidResourceHandle);
}

static cudaError_t event_create(const char *call, cudaEvent_t *event, unsigned flags, uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!event || (flags & ~(unsigned)(cudaEventBlockingSync | cudaEventDisableTiming)))
    return cucc_fail(cudaErrorInvalidValue);
  struct CUevent_st *e = calloc(1, sizeof *e);
  *e = (struct CUevent_st){.magic = EVENT_MAGIC, .flags = flags, .site = site};
  pthread_mutex_lock(&cucc.lock);
  e->epoch = cucc.epoch;
  e->next = cucc.events;
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

/* An event that is still to be reached lives until then; `recording` in its operation finds no event any
 * more. */
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  struct CUevent_st *e;
  cudaError_t error = event_enter("cudaEventDestroy", event, &e);
  if (error) return error;
  struct CUevent_st **link = &cucc.events;
  while (*link != e) link = &(*link)->next;
  *link = e->next;
  pthread_mutex_unlock(&cucc.lock);
  clock_free(&e->clock);
  free(e);
  return cudaSuccess;
}

static cudaError_t event_record(const char *call, cudaEvent_t event, cudaStream_t stream, uintptr_t site) {
  struct CUevent_st *e;
  cudaError_t error = event_enter(call, event, &e);
  if (error) return error;
  struct CUstream_st *s = stream_of(stream);
  if (s) {
    struct op *op = calloc(1, sizeof *op);
    *op = (struct op){.kind = OP_EVENT, .stream = s, .call = call, .site = site, .event = e};
    op->recording = ++e->recordings;
    engine_queue(op);
    e->recorded = true;
    clock_free(&e->clock);
    clock_join(&e->clock, &s->clock);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(s ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return event_record("cudaEventRecord", event, stream, CALLER);
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  (void)flags;
  return event_record("cudaEventRecordWithFlags", event, stream, CALLER);
}

/* The engine got to a record. */
void event_reached(struct op *op) {
  pthread_mutex_lock(&cucc.lock);
  struct CUevent_st *e = event_of(op->event);
  if (e && op->recording > e->reached) {
    e->reached = op->recording;
    e->time_ms = now_ms();
  }
  pthread_mutex_unlock(&cucc.lock);
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  struct CUevent_st *e;
  (void)flags;
  cudaError_t error = event_enter("cudaStreamWaitEvent", event, &e);
  if (error) return error;
  struct CUstream_st *s = stream_of(stream);
  if (s) /* whatever is asked of the stream from now on comes after the event: its clock says so, no operation
            needed */
    clock_join(&s->clock, &e->clock);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(s ? cudaSuccess : cudaErrorInvalidResourceHandle);
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  struct CUevent_st *e;
  cudaError_t error = event_enter("cudaEventSynchronize", event, &e);
  if (error) return error;
  struct clock target = {0};
  clock_join(&target, &e->clock);
  count(COUNT_SYNCHRONISATIONS);
  engine_wait(&target);
  clock_free(&target);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cucc.sticky);
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
  struct CUevent_st *e;
  cudaError_t error = event_enter("cudaEventQuery", event, &e);
  if (error) return error;
  const bool reached = engine_reached(&e->clock);
  pthread_mutex_unlock(&cucc.lock);
  return cucc.sticky ? cucc_fail(cucc.sticky) : reached ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start, cudaEvent_t end) {
  struct CUevent_st *a, *b;
  cudaError_t error = event_enter("cudaEventElapsedTime", start, &a);
  if (error) return error;
  b = event_of(end);
  if (!ms)
    error = cudaErrorInvalidValue;
  else if (!b || !a->recorded || !b->recorded || ((a->flags | b->flags) & cudaEventDisableTiming))
    error = cudaErrorInvalidResourceHandle;
  else if (!engine_reached(&a->clock) || !engine_reached(&b->clock))
    error = cudaErrorNotReady;
  else
    *ms = (float)(b->time_ms - a->time_ms);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}
