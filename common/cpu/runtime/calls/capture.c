/* Calls that begin and end the capture of a stream. */
#include "base/base.h"

#include <stdlib.h>

#include "base/needed.h"
#include "state/capture.h"
#include "state/graph.h"
#include "state/op.h"
#include "state/failed.h"
#include "state/state.h"
#include "state/streams.h"
#include "engine/entry.h"
#include "engine/injected.h"
#include "engine/stream.h"

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode) {
  struct CUstream_st *s;
  if ((unsigned)mode > cudaStreamCaptureModeRelaxed) return cucc_refuse(cudaErrorInvalidValue);
  cudaError_t error = stream_enter("cudaStreamBeginCapture", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  if (s->legacy)
    error = cudaErrorStreamCaptureUnsupported;
  else if (s->capture)
    error = cudaErrorIllegalState;
  else
    capture_begin(s, graph_new("cudaStreamEndCapture", 0), mode);
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

/* Work in a stream that the origin has not waited for. */
static bool unjoined(const struct capture *c) {
  const struct node_set *all = &c->graph->nodes;
  bool *followed = needed(calloc(all->count + 1, sizeof *followed)), left = false;
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = 0; k < all->at[i]->needs.count; k++) followed[all->at[i]->needs.at[k]->index] = true;
  for (size_t i = 0; i < all->count && !left; i++)
    left = !followed[i] && !nodes_have(&c->origin->tail, all->at[i]);
  free(followed);
  return left;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph) {
  struct CUstream_st *s;
  if (!graph) return cucc_refuse(cudaErrorInvalidValue);
  cudaError_t error = stream_enter("cudaStreamEndCapture", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  struct capture *c = s->capture;
  *graph = NULL;
  if (!c)
    error = cudaErrorIllegalState;
  else if (c->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(c->thread, pthread_self()))
    error = cudaErrorStreamCaptureWrongThread;
  else if (c->origin != s) {
    c->invalid = true;
    error = cudaErrorStreamCaptureUnmatched;
  } else {
    error = c->invalid    ? cudaErrorStreamCaptureInvalidated
            : unjoined(c) ? cudaErrorStreamCaptureUnjoined
                          : late_error(cudaSuccess);
    if (error)
      graph_free(c->graph);
    else {
      *graph = c->graph;
      c->graph->site = CALLER;
    }
    capture_end(c);
  }
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status) {
  struct CUstream_st *s;
  if (!status) return cucc_refuse(cudaErrorInvalidValue);
  cudaError_t error = stream_enter("cudaStreamIsCapturing", stream, USE_LOOK, &s, CALLER);
  if (error) return error;
  *status = !s->capture           ? cudaStreamCaptureStatusNone
            : s->capture->invalid ? cudaStreamCaptureStatusInvalidated
                                  : cudaStreamCaptureStatusActive;
  if (s->legacy && capture_of_device(s->device)) error = cudaErrorStreamCaptureImplicit;
  pthread_mutex_unlock(&cucc.lock);
  return cucc_fail(error);
}

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode) {
  if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed) return cucc_refuse(cudaErrorInvalidValue);
  *mode = capture_exchange_mode(*mode);
  return cucc_enter("cudaThreadExchangeStreamCaptureMode");
}
