/* Memory, streams, events and graphs that the program never freed or destroyed. */
#include "base/base.h"

#include <stdio.h>

#include "base/options.h"
#include "state/event.h"
#include "state/graph.h"
#include "state/loaded.h"
#include "state/state.h"
#include "state/streams.h"
#include "memory/arena.h"
#include "checker/findings.h"
#include "cucc.h"

static void leak(const char *what, size_t size, const char *call, uintptr_t site) {
  struct finding f = {.tool = TOOL_LEAK, .site = site};
  if (size)
    snprintf(f.sentence, sizeof f.sentence, "%zu bytes of %s were never freed", size, what);
  else
    snprintf(f.sentence, sizeof f.sentence, "%s was never destroyed", what);
  snprintf(f.allocation, sizeof f.allocation, "made by %s", call);
  f.cause = size ? "a missing cudaFree (cudaFreeHost for pinned memory), often on the way out after an error"
                 : "a missing cudaStreamDestroy, cudaEventDestroy, cudaGraphDestroy or cudaGraphExecDestroy";
  finding_add(&f);
}

static void leaked_allocation(const struct allocation *a, void *unused) {
  (void)unused;
  if (!a->freed && !a->free_issue && a->epoch == cucc.epoch && a->space != SPACE_VARIABLE)
    leak(memory_name(a->space), a->size, a->call, a->site);
}

static void leaked_graph(const char *what, const char *call, uintptr_t site) { leak(what, 0, call, site); }

static void leaked_thing(const struct loaded *l) {
  struct finding f = {.tool = TOOL_LEAK, .site = l->site, .cause = l->cause};
  snprintf(f.sentence, sizeof f.sentence, "%s was never given back", l->what);
  snprintf(f.allocation, sizeof f.allocation, "made by %s", l->call);
  finding_add(&f);
}

void cucc_check_leaks(void) {
  if (!checking(TOOL_LEAK)) return;
  memory_each(leaked_allocation, NULL);
  pthread_mutex_lock(&cucc.lock);
  for (struct CUstream_st *s = cucc.streams; s; s = s->next)
    if (!s->internal && !s->destroyed && s->epoch == cucc.epoch)
      leak("a stream", 0, "cudaStreamCreate", s->site);
  for (struct CUevent_st *e = cucc.events; e; e = e->next)
    if (!e->destroyed && e->epoch == cucc.epoch) leak("an event", 0, "cudaEventCreate", e->site);
  graph_each_leak(leaked_graph);
  for (const struct loaded *l = loaded_things; l; l = l->next)
    if (!l->gone && l->epoch == cucc.epoch) leaked_thing(l);
  pthread_mutex_unlock(&cucc.lock);
}
