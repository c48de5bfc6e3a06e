#ifndef CUCC_STATE_OP_H
#define CUCC_STATE_OP_H

#include "base/base.h"
#include "base/clock.h"

struct CUevent_st;
struct CUgraphNode_st;
struct CUstream_st;
struct launch;
struct work;

enum op_kind { OP_COPY, OP_FILL, OP_KERNEL, OP_EVENT, OP_HOST, OP_WORK, OP_ALLOCATE, OP_FREE };

/* The rows of a copy or fill; height 0: one row of all bytes. Pitches and slices in bytes. */
struct rows {
  size_t width, height, depth;
  size_t dst_pitch, dst_slice, src_pitch, src_slice;
};

struct node_set {
  struct CUgraphNode_st **at;
  size_t count;
};

struct op {
  enum op_kind kind;
  void (*run)(struct op *op); /* what the engine does when it is its turn; NULL: nothing */
  struct CUstream_st *stream;
  uint64_t seq, issue; /* place in its stream; place in the order of all operations */
  struct clock clock;  /* what must have ended before, this operation's stream included */
  uintptr_t site;      /* return address of the call that asked for it */
  const char *call;    /* its name */
  struct op *next;
  /* copy and fill */
  void *dst;
  const void *src;
  size_t bytes; /* of all rows */
  struct rows rows;
  int value;
  enum cudaMemcpyKind direction, crossing; /* as asked for; as its two ends are, for the counts */
  int from, to; /* of a copy: the devices whose memory its ends are, -1: the host's */
  bool serial;  /* asked for by a call without Async */
  bool pinned;
  void *staging;      /* the operation's own copy of pageable source memory */
  const void *origin; /* and where it was copied from */
  /* others */
  struct launch *launch;
  struct work *work; /* malloc'ed; of a library */
  struct CUevent_st *event;
  uint64_t recording;
  cudaHostFn_t function; /* of cudaLaunchHostFunc, or of cudaStreamAddCallback: */
  cudaStreamCallback_t callback;
  cudaStream_t handle;
  void *user_data;
  bool of_graph; /* asked for by a graph's launch ... */
  bool in_graph; /* ... and not as its first */
};

static inline bool between_devices(const struct op *op) {
  return op->kind == OP_COPY && op->from >= 0 && op->to >= 0 && op->from != op->to;
}

static inline size_t rows_count(const struct rows *r) { return r->height ? r->height * r->depth : 1; }
/* Where row i begins, from the first one. */
static inline size_t rows_destination(const struct rows *r, size_t i) {
  return r->height ? i / r->height * r->dst_slice + i % r->height * r->dst_pitch : 0;
}
static inline size_t rows_source(const struct rows *r, size_t i) {
  return r->height ? i / r->height * r->src_slice + i % r->height * r->src_pitch : 0;
}
/* From the first row's begin to the last one's end. */
static inline size_t rows_span(const struct rows *r, size_t width, size_t pitch, size_t slice) {
  return r->height ? (r->depth - 1) * slice + (r->height - 1) * pitch + width : width;
}

#endif
