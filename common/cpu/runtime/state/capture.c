/*
 * Capture: what is asked of a stream becomes nodes of a graph instead of running.
 *
 * A capturing stream remembers its tail, the nodes that its next operation has to follow. Recording an event
 * copies the tail to the event; a stream that waits for such an event joins the capture and the tail to its
 * own. A call that would have to wait for work that does not run, or that could, spoils the capture: it
 * returns an error of the 900s, and so does the end of the capture.
 */
#include "state/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/device.h"
#include "state/event.h"
#include "state/graph.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"

static int active; /* captures; read without the lock too */
static uint64_t capture_count;
static __thread enum cudaStreamCaptureMode thread_mode;

static void leave(struct CUstream_st *s) {
  s->capture = NULL;
  nodes_free(&s->tail);
}

/* ---------------------------------------------------------------------------------------------- refusals */

/* Calls that may wait for the device without saying so. CUDA calls them potentially unsafe, and forbids them
 * unless all captures are relaxed. */
static bool is_unsafe(const char *call) {
  static const char *const calls[] = {"cudaMalloc",        "cudaFree",           "cudaMallocHost",
                                      "cudaFreeHost",      "cudaHostAlloc",      "cudaHostRegister",
                                      "cudaMallocManaged", "cudaHostUnregister", "cudaMallocPitch",
                                      "cudaMalloc3D",      "cudaEventQuery",     "cudaMemcpy",
                                      "cudaMemset",        "cudaMemcpyToSymbol", "cudaMemcpyFromSymbol",
                                      "cudaMemcpy2D",      "cudaMemset2D",       "cudaMemcpyPeer"};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (!strcmp(call, calls[i])) return true;
  return false;
}

static bool forbids(const struct capture *c) {
  const bool own = pthread_equal(c->thread, pthread_self());
  if (thread_mode == cudaStreamCaptureModeRelaxed) return false;
  if (own) return c->mode != cudaStreamCaptureModeRelaxed;
  return thread_mode == cudaStreamCaptureModeGlobal && c->mode == cudaStreamCaptureModeGlobal;
}

/* A blocking stream of the device that is being captured: the default stream would have to wait for it. */
struct CUstream_st *capture_of_device(int device) {
  for (struct CUstream_st *t = active ? cucc.streams : NULL; t; t = t->next)
    if (t->capture && t->device == device && !(t->flags & cudaStreamNonBlocking)) return t;
  return NULL;
}

cudaError_t capture_enter(const char *call) {
  const bool waits = !strcmp(call, "cudaDeviceSynchronize");
  cudaError_t error = cudaSuccess;
  if (!active || (!waits && !is_unsafe(call))) return cudaSuccess;
  if (!strncmp(call, "cudaMem", 7) && capture_of_device(device_current()))
    return cudaSuccess; /* capture_use tells */
  for (struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (s->capture && !s->internal && (waits || forbids(s->capture))) {
      s->capture->invalid = true;
      error = cudaErrorStreamCaptureUnsupported;
    }
  return error;
}

cudaError_t capture_use(const char *call, struct CUstream_st *s, enum use use) {
  if (LIKELY(!active) || use == USE_LOOK) return cudaSuccess;
  if (s->legacy) {
    struct CUstream_st *t = capture_of_device(s->device);
    if (t) t->capture->invalid = true;
    return t ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  if (!s->capture) return cudaSuccess;
  if (s->capture->invalid) return cudaErrorStreamCaptureInvalidated;
  const bool memory = strstr(call, "Malloc") || strstr(call, "FreeAsync"); /* graphs own no memory here */
  if (use != USE_WAIT && !memory) return cudaSuccess;
  s->capture->invalid = true;
  return memory ? cudaErrorNotSupported : cudaErrorStreamCaptureUnsupported;
}

/* ---------------------------------------------------------------------------------------------- recording */

static struct CUgraphNode_st *take(struct CUstream_st *s, struct op *op) {
  struct CUgraphNode_st *node = graph_add(s->capture->graph, op, s->device, &s->tail);
  nodes_free(&s->tail);
  nodes_add(&s->tail, node);
  return node;
}

void capture_take_graph(struct CUstream_st *s, struct CUgraph_st *child) { take(s, NULL)->child = child; }

void capture_take(struct op *op) {
  if (op->staging) { /* the graph reads the memory when it runs, not now */
    op->src = op->origin;
    free(op->staging);
    op->staging = NULL;
  }
  take(op->stream, op);
}

bool capture_record(struct CUevent_st *e, struct CUstream_st *s) {
  nodes_free(&e->point);
  e->capture = s->capture ? s->capture->id : 0;
  if (s->capture) nodes_join(&e->point, &s->tail);
  return s->capture != NULL;
}

static struct capture *capture_of(uint64_t id) {
  for (struct CUstream_st *s = id ? cucc.streams : NULL; s; s = s->next)
    if (s->capture && s->capture->id == id) return s->capture;
  return NULL;
}

cudaError_t capture_wait(struct CUstream_st *s, const struct CUevent_st *e) {
  struct capture *of_event = capture_of(e->capture);
  if (s->capture && of_event && s->capture != of_event) {
    s->capture->invalid = of_event->invalid = true;
    return cudaErrorStreamCaptureMerge;
  }
  if (s->capture && !of_event) {
    if (!e->recorded) return cudaSuccess; /* nothing to wait for */
    s->capture->invalid = true;
    return cudaErrorStreamCaptureIsolation;
  }
  if (!of_event) return cudaErrorCapturedEvent; /* that capture has ended */
  if (s->legacy) {
    of_event->invalid = true;
    return cudaErrorStreamCaptureImplicit;
  }
  s->capture = of_event;
  nodes_join(&s->tail, &e->point);
  return cudaSuccess;
}

cudaError_t capture_ask(const struct CUevent_st *e) {
  struct capture *c = capture_of(e->capture);
  if (c) c->invalid = true;
  return cudaErrorCapturedEvent;
}

void capture_end(struct capture *c) {
  for (struct CUstream_st *t = cucc.streams; t; t = t->next)
    if (t->capture == c) leave(t);
  free(c);
  active--;
}

void capture_destroyed(struct CUstream_st *s) {
  struct capture *c = s->capture;
  if (!c) return;
  c->invalid = true;
  leave(s);
  if (c->origin != s) return;
  graph_free(c->graph);
  capture_end(c);
}

void capture_begin(struct CUstream_st *s, struct CUgraph_st *graph, enum cudaStreamCaptureMode mode) {
  s->capture = needed(malloc(sizeof *s->capture));
  *s->capture = (struct capture){
      .id = ++capture_count, .graph = graph, .origin = s, .mode = mode, .thread = pthread_self()};
  active++;
}

struct CUstream_st *capture_open(struct CUgraph_st *graph) {
  struct CUstream_st *s = stream_new(device_current(), cudaStreamNonBlocking, 0, true, 0);
  capture_begin(s, graph, cudaStreamCaptureModeRelaxed);
  return s;
}

void capture_close(struct CUstream_st *s) {
  capture_end(s->capture);
  s->destroyed = true;
}

enum cudaStreamCaptureMode capture_exchange_mode(enum cudaStreamCaptureMode mode) {
  const enum cudaStreamCaptureMode old = thread_mode;
  thread_mode = mode;
  return old;
}
