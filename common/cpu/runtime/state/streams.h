#ifndef CUCC_STATE_STREAMS_H
#define CUCC_STATE_STREAMS_H

#include "base/base.h"
#include "base/clock.h"
#include "state/op.h"

struct capture;

struct CUstream_st {
  uint32_t slot;
  int device;
  int id;      /* small number in order of creation; 0 the default stream of each device */
  bool legacy; /* it is its device's default stream */
  unsigned flags;
  int priority;
  struct cudaAccessPolicyWindow window; /* without effect */
  bool internal, destroyed;
  bool launched; /* a kernel was launched in it */
  uintptr_t site, destroyed_site;
  unsigned epoch;     /* of cucc_reset, for leaks */
  struct clock clock; /* everything asked of this stream up to now */
  uint64_t issued, completed;
  uint64_t marked; /* issued, when an event was recorded in it last */
  struct op *first, *last;
  struct capture *capture; /* it is being captured: */
  struct node_set tail;    /* what its next operation has to follow */
  struct CUstream_st *next;
};
/* Finds the stream of a handle for a call, or gives the error why it must not be used so, which the checked
 * build reports (but of a launch: the caller does). With cucc.lock held. */
enum use {
  USE_LOOK,  /* asks or destroys */
  USE_QUEUE, /* queues an operation */
  USE_WAIT,  /* waits for it */
  USE_LAUNCH /* queues a kernel: the stream must be the current device's */
};

#define PRIORITY_LEAST    0 /* of streams; the greatest is the smallest number, as in CUDA */
#define PRIORITY_GREATEST (-5)
/* The clock of everything asked of the streams of one device so far, added to `all`. */
void stream_join_device(struct clock *all, int device);
/* Makes a stream; an internal one is the runtime's own and no leak. */
struct CUstream_st *stream_new(int device, unsigned flags, int priority, bool internal, uintptr_t site);

#endif
