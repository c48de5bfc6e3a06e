/* Streams: making one, and the clocks of all. */
#include "state/streams.h"

#include "base/clock.h"
#include "base/kept.h"
#include "state/state.h"

struct CUstream_st *stream_new(int device, unsigned flags, int priority, bool internal, uintptr_t site) {
  static int stream_count = 1;
  static uint32_t slots;
  struct CUstream_st **link = &cucc.streams, *s = NULL;
  for (; *link; link = &(*link)->next)
    if ((*link)->destroyed && (*link)->completed == (*link)->issued)
      s = *link; /* its slot in the clocks is used again, and goes on counting */
  if (!s) {
    s = *link = kept(sizeof *s);
    s->slot = slots++;
  }
  s->device = device;
  s->id = stream_count++;
  s->flags = flags;
  s->priority = priority;
  s->internal = internal;
  s->destroyed = s->launched = false;
  s->site = site;
  s->epoch = cucc.epoch;
  return s;
}

void stream_join_device(struct clock *all, int device) {
  for (struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (s->device == device) clock_join(all, &s->clock);
}
