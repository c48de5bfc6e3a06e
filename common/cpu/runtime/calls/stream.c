/* Calls that make, destroy, wait for and ask about streams. */
#include "base/base.h"

#include "base/clock.h"
#include "base/options.h"
#include "state/capture.h"
#include "state/counters.h"
#include "state/device.h"
#include "state/op.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/injected.h"
#include "engine/stream.h"

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
  return cucc_fail(late_error(cucc.sticky));
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  struct CUstream_st *s;
  cudaError_t error = stream_enter("cudaStreamQuery", stream, USE_WAIT, &s, CALLER);
  if (error) return error;
  const bool reached = engine_reached(&s->clock);
  if (reached) count(COUNT_SYNCHRONISATIONS);
  return stream_answer(reached);
}

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
  if (!id) return cucc_refuse(cudaErrorInvalidValue);
  cudaError_t error = stream_enter("cudaStreamGetId", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  *id = s->legacy ? 1 + (unsigned)s->device : DEVICES_MAX + (unsigned)s->id;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user_data) {
  return stream_queue_host("cudaLaunchHostFunc", stream, function, user_data, CALLER);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user_data,
                                  unsigned int flags) {
  if (!callback || flags) return cucc_refuse(cudaErrorInvalidValue);
  const struct op request = {.callback = callback, .handle = stream, .user_data = user_data};
  return stream_queue_callback("cudaStreamAddCallback", stream, request, CALLER);
}
