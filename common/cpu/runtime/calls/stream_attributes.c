/* Attributes of streams: priority, and the window of memory that is to stay in the L2 cache, which is only kept. */
#include "base/base.h"

#include "state/device.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "engine/entry.h"
#include "engine/stream.h"

/* A driver's limits. Written so that a hitRatio that is no number is refused, too. */
static bool window_fits(const struct cudaAccessPolicyWindow *w) {
  return w->num_bytes <= WINDOW_BYTES && w->hitRatio >= 0 && w->hitRatio <= 1 &&
         (unsigned)w->hitProp <= cudaAccessPropertyPersisting &&
         (unsigned)w->missProp <= cudaAccessPropertyStreaming;
}

static bool value_fits(cudaStreamAttrID id, const cudaStreamAttrValue *value) {
  if (!value) return false;
  if (id == cudaStreamAttributeAccessPolicyWindow) return window_fits(&value->accessPolicyWindow);
  return id == cudaStreamAttributePriority && value->priority >= PRIORITY_GREATEST &&
         value->priority <= PRIORITY_LEAST;
}

cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value) {
  struct CUstream_st *s;
  if (!value_fits(id, value)) return cucc_refuse(cudaErrorInvalidValue);
  const cudaError_t error = stream_enter("cudaStreamSetAttribute", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  if (id == cudaStreamAttributePriority)
    s->priority = value->priority;
  else
    s->window = value->accessPolicyWindow;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaStreamAttrID id, cudaStreamAttrValue *value) {
  struct CUstream_st *s;
  const bool known = id == cudaStreamAttributeAccessPolicyWindow || id == cudaStreamAttributePriority;
  if (!value || !known) return cucc_refuse(cudaErrorInvalidValue);
  const cudaError_t error = stream_enter("cudaStreamGetAttribute", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  if (id == cudaStreamAttributePriority)
    value->priority = s->priority;
  else
    value->accessPolicyWindow = s->window;
  pthread_mutex_unlock(&cucc.lock);
  return cudaSuccess;
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  static const cudaStreamAttrID all[] = {cudaStreamAttributeAccessPolicyWindow, cudaStreamAttributePriority};
  for (int i = 0; i < 2; i++) {
    cudaStreamAttrValue value;
    cudaError_t error = cudaStreamGetAttribute(from, all[i], &value);
    if (!error) error = cudaStreamSetAttribute(to, all[i], &value);
    if (error) return error;
  }
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return cucc_enter("cudaCtxResetPersistingL2Cache"); }
