/* How an access relates to the running thread: in order, or made by another thread, block or operation. */
#include "checker/relation.h"
#if CUCC_CHECKED
#include "base/clock.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/host_stamps.h"
#include "checker/ids.h"
#include "checker/past.h"
#include "checker/seen.h"
#include "checker/thread_state.h"

/* Stamped by this worker; of this block when it is not smaller than thread_state.block. */
bool ids_mine(uint32_t record) { return ids_owner(record) == cucc_worker->index; }

static bool operation_in_order(struct thread_state *l, uint32_t record) {
  if (ID(record) >= l->ordered_first && ID(record) <= l->ordered_last) return true;
  const struct past *p = past_of(record);
  if (p && clock_get(&cucc_worker->launch->op->clock, p->slot) < p->seq) return false;
  if (p) {
    l->ordered_first = p->first;
    l->ordered_last = p->last;
  }
  return true;
}

/* An access of another worker, in this launch and since the last synchronisation of the grid. */
static enum relation relation_to_block(const struct thread_state *l, uint32_t record) {
  const unsigned now = __atomic_load_n(&ids.round, __ATOMIC_RELAXED);
  if (UNLIKELY(now) && (now != l->round || ids.grid_first >= ids.launch_first))
    return IN_ORDER; /* who knows */
  return l->acquired_any && ID(record) <= l->acquired[ids_owner(record)] ? IN_ORDER : OTHER_BLOCK;
}

/* By barriers in memory. Which of several readers has been seen is not known. */
static bool in_order_by_phases(const struct worker *w, uint32_t record, bool several) {
  return several ? w->phased[w->current].heard != 0 : seen_of(w, WHO(record), ID(record));
}

enum relation relation_of(struct thread_state *l, uint32_t record, bool read) {
  if (record < l->safe) return IN_ORDER;
  if (UNLIKELY(BY_HOST(record)))
    return host_stamp_in_order(cucc_worker->launch->op, record) ? IN_ORDER : THE_HOST;
  if (record < l->launch) return operation_in_order(l, record) ? IN_ORDER : OTHER_OPERATION;
  if (read && (record & ~2u) == l->many_blocks) return l->acquired_any ? IN_ORDER : OTHER_BLOCK;
  if (record < l->block || !ids_mine(record)) return relation_to_block(l, record);
  const struct worker *w = cucc_worker;
  if (record < l->phase || ID(record) <= w->threads[w->current].acquired) return IN_ORDER;
  /* since its last synchronisation; with barriers in memory its threads have ids of their own as well */
  const uint32_t met = UNLIKELY(l->phases) ? w->warps[w->current / 32].id : ID(l->me);
  const bool several = read && (record & FLAG);
  if (UNLIKELY(l->phases) && in_order_by_phases(w, record, several)) return IN_ORDER;
  if ((several ? WHO(record) : WHO(record) / 32) != (uint32_t)(WHO(l->me) / 32)) return SAME_BLOCK;
  if (ID(record) < met || (!several && WHO(record) == WHO(l->me))) return IN_ORDER;
  return SAME_WARP;
}

#endif
