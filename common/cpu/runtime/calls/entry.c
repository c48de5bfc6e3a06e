/* Calls of cucc.h about the whole state: reset, what lives, what is not done yet. */
#include "base/base.h"

#include "state/counters.h"
#include "state/device.h"
#include "state/event.h"
#include "state/graph.h"
#include "state/loaded.h"
#include "state/state.h"
#include "state/streams.h"
#include "state/timeline.h"
#include "memory/arena.h"
#include "checker/findings.h"
#include "checker/profile.h"
#include "checker/report.h"
#include "engine/engine.h"
#include "cucc.h"

void cucc_reset(void) {
  pthread_mutex_lock(&cucc.lock);
  cucc.epoch++;
  counters_reset();
  profile_reset();
  timeline_reset();
  pthread_mutex_unlock(&cucc.lock);
  findings_reset();
  report_reset();
}

cucc_alive cucc_alive_now(void) {
  cucc_alive alive = {.device_bytes = memory_live(SPACE_DEVICE),
                      .pinned_bytes = memory_live(SPACE_PINNED),
                      .managed_bytes = memory_live(SPACE_MANAGED),
                      .registered_bytes = memory_live(SPACE_REGISTERED)};
  pthread_mutex_lock(&cucc.lock);
  for (const struct CUstream_st *s = cucc.streams; s; s = s->next)
    alive.streams += !s->internal && !s->destroyed;
  for (const struct CUevent_st *e = cucc.events; e; e = e->next) alive.events += !e->destroyed;
  alive.graphs = graph_count();
  for (const struct loaded *l = loaded_things; l; l = l->next) {
    if (!l->gone && !alive.newest) alive.newest = l->what;
    alive.loaded += !l->gone;
  }
  pthread_mutex_unlock(&cucc.lock);
  return alive;
}

size_t cucc_undone(int wait) {
  struct clock target = {0};
  size_t left = 0;
  pthread_mutex_lock(&cucc.lock);
  for (const struct CUstream_st *s = cucc.streams; s && wait != CUCC_NO_WAIT; s = s->next)
    if (s->device == device_current() &&
        (s->legacy || (wait == CUCC_WAIT_BLOCKING && !(s->flags & cudaStreamNonBlocking))))
      clock_join(&target, &s->clock);
  if (cucc.pending) engine_wait(&target);
  for (const struct CUstream_st *s = cucc.streams; s; s = s->next) left += s->issued - s->completed;
  pthread_mutex_unlock(&cucc.lock);
  clock_free(&target);
  return left;
}
