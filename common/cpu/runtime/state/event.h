#ifndef CUCC_STATE_EVENT_H
#define CUCC_STATE_EVENT_H

#include "base/base.h"
#include "base/clock.h"
#include "state/op.h"

struct CUevent_st {
  int device;
  unsigned flags;
  uintptr_t site, destroyed_site;
  unsigned epoch;
  bool recorded, destroyed;
  uint64_t recordings, reached; /* a later record replaces an earlier one */
  struct clock clock;           /* of the last record: */
  int record_stream;
  uint64_t record_seq;
  uintptr_t record_site;
  bool record_idle;      /* its stream had been given nothing since the record before it, or nothing at all */
  double time_ms;        /* when the engine reached it */
  uint64_t capture;      /* the last record was captured, by this one: */
  struct node_set point; /* what a stream that waits for the event has to follow */
  struct CUevent_st *next;
};

#endif
