/*
 * Streams: handles, default streams, waiting.
 *
 * Each device has a default stream, made at its first use. The handle 0 means that of the calling thread's
 * current device; in a program compiled with -default-stream per-thread it means the thread's own.
 */
#include "engine/stream.h"

#include <stdlib.h>

#include "base/needed.h"
#include "base/options.h"
#include "state/capture.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "checker/host.h"
#include "checker/misuse.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/injected.h"

static struct CUstream_st *defaults[DEVICES_MAX];
static __thread struct CUstream_st *per_thread[DEVICES_MAX];
static bool null_is_per_thread;

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

static void report_unknown(const char *call, cudaStream_t handle, uintptr_t site) {
  const struct CUstream_st *s = cucc.streams;
  while (s && s != handle) s = s->next;
  if (s)
    check_bad_handle(call, "is given a stream that was destroyed",
                     "a stream destroyed before its last use, or the handle of another variable", site,
                     s->destroyed_site);
  else
    check_bad_handle(call, "is given a stream that was never created", WITHOUT_VALUE, site, 0);
}

cudaError_t stream_use(const char *call, cudaStream_t handle, enum use use, struct CUstream_st **stream,
                       uintptr_t site) {
  struct CUstream_st *s = *stream = stream_of(handle);
  if (!s && use != USE_LAUNCH) report_unknown(call, handle, site);
  if (!s || (use == USE_LAUNCH && s->device != device_current())) return cudaErrorInvalidResourceHandle;
  return capture_use(call, s, use);
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

/* ---------------------------------------------------------------------------------------------- callbacks */

/* Runs one, on the engine's thread. cudaStreamAddCallback's learns whether the work before it went well. It
 * may let other threads of the host know, by a flag or a new thread: so the host has waited for what comes
 * before it. */
static void callback_run(struct op *op) {
  pthread_mutex_lock(&cucc.lock);
  engine_reached(&op->clock);
  pthread_mutex_unlock(&cucc.lock);
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
cudaError_t stream_queue_callback(const char *call, cudaStream_t stream, struct op request, uintptr_t site) {
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
  return stream_queue_callback(call, stream, request, site);
}

static void wait_for_all(void) {
  struct clock target = {0};
  stream_join_device(&target, device_current());
  engine_wait(&target);
  clock_free(&target);
}

cudaError_t stream_answer(bool reached) {
  const cudaError_t error = late_error(cucc.sticky);
  if (error && !cucc.sticky) wait_for_all(); /* after a fault nothing is left to run */
  pthread_mutex_unlock(&cucc.lock);
  return error ? cucc_fail(error) : reached ? cudaSuccess : cudaErrorNotReady;
}

cudaError_t device_wait(const char *call) {
  cudaError_t error = cucc_enter(call);
  if (error) return error;
  pthread_mutex_lock(&cucc.lock);
  count(COUNT_SYNCHRONISATIONS);
  count(COUNT_DEVICE_SYNCHRONISATIONS);
  wait_for_all();
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(late_error(cucc.sticky));
}
