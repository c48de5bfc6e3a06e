#ifndef CUCC_STATE_CAPTURE_H
#define CUCC_STATE_CAPTURE_H

#include "base/base.h"
#include "state/streams.h"

struct CUevent_st;
struct CUgraph_st;
struct op;

struct capture {
  uint64_t id;
  struct CUgraph_st *graph;
  struct CUstream_st *origin;
  enum cudaStreamCaptureMode mode;
  pthread_t thread;
  bool invalid;
};

/* The stream's operations go into the graph from now on. */
void capture_begin(struct CUstream_st *s, struct CUgraph_st *graph, enum cudaStreamCaptureMode mode);
/* Sets the calling thread's mode, and gives the one before. */
enum cudaStreamCaptureMode capture_exchange_mode(enum cudaStreamCaptureMode mode);
/* A stream of the runtime's own whose operations go into the graph, until it is closed. */
struct CUstream_st *capture_open(struct CUgraph_st *graph);
void capture_close(struct CUstream_st *s);

/* Whether a call may be made while streams are captured, by its name; whether a stream may be used so. */
cudaError_t capture_enter(const char *call);
cudaError_t capture_use(const char *call, struct CUstream_st *s, enum use use);
/* An operation of a stream that is being captured. */
void capture_take(struct op *op);
/* A graph that is launched in a stream that is being captured; takes it over. */
void capture_take_graph(struct CUstream_st *s, struct CUgraph_st *child);
/* An event is recorded in a stream: true when that is part of a capture. */
bool capture_record(struct CUevent_st *e, struct CUstream_st *s);
/* A stream waits for an event, one of which is being captured. */
cudaError_t capture_wait(struct CUstream_st *s, const struct CUevent_st *e);
/* The host asks for an event whose last record was captured, and so is never reached. */
cudaError_t capture_ask(const struct CUevent_st *e);
void capture_destroyed(struct CUstream_st *s);
struct CUstream_st *capture_of_device(int device);
void capture_end(struct capture *c);

#endif
