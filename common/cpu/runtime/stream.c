/*
 * Streams: handles, default streams, waiting.
 *
 * Each device has a default stream, made at its first use. The handle 0 means that of the calling thread's
 * current device; in a program compiled with -default-stream per-thread it means the thread's own.
 */
#include "runtime.h"

#include <stdlib.h>

#include "check.h"

static struct CUstream_st *defaults[DEVICES_MAX];
static __thread struct CUstream_st *per_thread[DEVICES_MAX];
static bool null_is_per_thread;
__thread uintptr_t cucc_callback;

struct CUstream_st *stream_new(int device, unsigned flags, int priority, bool internal, uintptr_t site) {
  static int ids = 1;
  static uint32_t slots;
  struct CUstream_st **link = &cucc.streams, *s = NULL;
  for (; *link; link = &(*link)->next)
    if ((*link)->destroyed && (*link)->completed == (*link)->issued)
      s = *link; /* its slot in the clocks is used again, and goes on counting */
  if (!s) {
    s = *link = needed(calloc(1, sizeof *s));
    s->slot = slots++;
  }
  s->device = device;
  s->id = ids++;
  s->flags = flags;
  s->priority = priority;
  s->internal = internal;
  s->destroyed = false;
  s->site = site;
  s->epoch = cucc.epoch;
  return s;
}

static struct CUstream_st *default_stream(int device) {
  if (!defaults[device]) {
    struct CUstream_st *s = defaults[device] = stream_new(device, cudaStreamDefault, 0, true, 0);
    s->legacy = true;
    s->id = 0;
  }
  return defaults[device];
}

/* A thread has ended: its streams are used again for others. */
static void thread_ended(void *streams) {
  pthread_mutex_lock(&cucc.lock);
  for (int d = 0; d < DEVICES_MAX; d++) {
    struct CUstream_st *s = ((struct CUstream_st **)streams)[d];
    if (s) s->destroyed = true;
  }
  pthread_mutex_unlock(&cucc.lock);
}

static struct CUstream_st *thread_stream(int device) {
  static pthread_key_t key;
  static bool made;
  if (!made) made = pthread_key_create(&key, thread_ended) == 0;
  if (!per_thread[device]) {
    per_thread[device] = stream_new(device, cudaStreamDefault, 0, true, 0);
    if (made) pthread_setspecific(key, per_thread);
  }
  return per_thread[device];
}

void cucc_default_stream_per_thread(void) { null_is_per_thread = true; }

static struct CUstream_st *stream_of(cudaStream_t handle) {
  if (handle == cudaStreamPerThread || (!handle && null_is_per_thread))
    return thread_stream(device_current());
  if (!handle || handle == cudaStreamLegacy) return default_stream(device_current());
  for (struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (s == handle && !s->destroyed) return s;
  return NULL;
}

static void report_destroyed(const char *call, cudaStream_t handle, uintptr_t site) {
  const struct CUstream_st *s = cucc.streams;
  while (s && s != handle) s = s->next;
  if (s)
    check_bad_handle(call, "is given a stream that was destroyed",
                     "a stream destroyed before its last use, or the handle of another variable", site,
                     s->destroyed_site);
}

cudaError_t stream_use(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **stream,
                       uintptr_t site) {
  struct CUstream_st *s = *stream = stream_of(handle);
  if (!s && use != USE_LAUNCH) report_destroyed(call, handle, site);
  if (!s || (use == USE_LAUNCH && s->device != device_current())) return cudaErrorInvalidResourceHandle;
  return capture_use(call, s, use);
}

void stream_join_all(struct clock *all) {
  for (struct CUstream_st *s = cucc.streams; s; s = s->next) clock_join(all, &s->clock);
}

void stream_join_device(struct clock *all, int device) {
  for (struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (s->device == device) clock_join(all, &s->clock);
}

static cudaError_t stream_create(const char *call, cudaStream_t *stream, unsigned flags, int priority,
                                 uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  if (!stream || (flags & ~(unsigned)cudaStreamNonBlocking)) return cucc_fail(cudaErrorInvalidValue);
  if (priority < PRIORITY_GREATEST) priority = PRIORITY_GREATEST;
  if (priority > PRIORITY_LEAST) priority = PRIORITY_LEAST;
  pthread_mutex_lock(&cucc.lock);
  *stream = stream_new(device_current(), flags, priority, false, site);
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

cudaError_t stream_enter(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **s,
                         uintptr_t site) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  if (!(error = stream_use(call, handle, use, s, site))) return cudaSuccess;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamDestroy", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  if (s->internal)
    error = cucc_fail(cudaErrorInvalidResourceHandle);
  else { /* its work still runs */
    capture_destroyed(s);
    s->destroyed = true;
    s->destroyed_site = CALLER;
  }
  pthread_mutex_unlock(&cucc.lock);
  return error;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamSynchronize", stream, USE_WAIT, &s, CALLER);
  if (error) return error;
  struct clock target = {0};
  clock_join(&target, &s->clock);
  count(COUNT_SYNCHRONISATIONS);
  engine_wait(&target);
  clock_free(&target);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(cucc.sticky);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamQuery", stream, USE_WAIT, &s, CALLER);
  if (error) return error;
  const bool reached = engine_reached(&s->clock);
  pthread_mutex_unlock(&cucc.lock);
  return cucc.sticky ? cucc_fail(cucc.sticky) : reached ? cudaSuccess : cudaErrorNotReady;
}

/* ---------------------------------------------------------------------------------------------- questions */

enum question { FLAGS, PRIORITY, DEVICE };

static cudaError_t ask(const char *call, cudaStream_t stream, enum question which, void *answer,
                       uintptr_t site) {
  struct CUstream_st *s;
  if (!answer) return cucc_fail(cudaErrorInvalidValue);
  cudaError_t error = stream_enter(call, stream, USE_LOOK, &s, site);
  if (error) return error;
  *(int *)answer = which == FLAGS ? (int)s->flags : which == PRIORITY ? s->priority : s->device;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags) {
  return ask("cudaStreamGetFlags", stream, FLAGS, flags, CALLER);
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority) {
  return ask("cudaStreamGetPriority", stream, PRIORITY, priority, CALLER);
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int *device) {
  return ask("cudaStreamGetDevice", stream, DEVICE, device, CALLER);
}

cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long *id) {
  struct CUstream_st *s;
  if (!id) return cucc_fail(cudaErrorInvalidValue);
  cudaError_t error = stream_enter("cudaStreamGetId", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  *id = s->legacy ? 1 + (unsigned)s->device : DEVICES_MAX + (unsigned)s->id;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

/* ---------------------------------------------------------------------------------------------- callbacks */

/* Runs one, on the engine's thread. cudaStreamAddCallback's learns whether the work before it went well. */
static void callback_run(struct op *op) {
  check_callback(op);
  cucc_callback = op->site;
  if (op->callback)
    op->callback(op->handle, cucc.sticky, op->user_data);
  else
    op->function(op->user_data);
  cucc_callback = 0;
  check_callback(NULL);
}

/* Queues a call of the host's function; takes the request over. */
static cudaError_t queue_callback(const char *call, cudaStream_t stream, struct op request, uintptr_t site) {
  cudaError_t error = stream_enter(call, stream, USE_QUEUE, &request.stream, site);
  if (error) return error;
  request.kind = OP_HOST;
  request.run = callback_run;
  request.call = call;
  request.site = site;
  struct op *op = needed(malloc(sizeof *op));
  *op = request;
  engine_queue(op);
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t stream_queue_host(const char *call, cudaStream_t stream, cudaHostFn_t function, void *user_data,
                              uintptr_t site) {
  if (!function) return cucc_fail(cudaErrorInvalidValue);
  const struct op request = {.function = function, .user_data = user_data};
  return queue_callback(call, stream, request, site);
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user_data) {
  return stream_queue_host("cudaLaunchHostFunc", stream, function, user_data, CALLER);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user_data,
                                  unsigned int flags) {
  if (!callback || flags) return cucc_fail(cudaErrorInvalidValue);
  const struct op request = {.callback = callback, .handle = stream, .user_data = user_data};
  return queue_callback("cudaStreamAddCallback", stream, request, CALLER);
}
