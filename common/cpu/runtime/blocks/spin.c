/* Threads that spin: they let the block's other threads run, and then other blocks. */
#include "blocks/spin.h"

#include <time.h>

#include "base/fibers.h"
#include "state/worker.h"
#include "checker/turn.h"
#include "blocks/block.h"
#include "blocks/pool.h"

/* Fresh threads go first: what the spinning ones wait for may be theirs to do. When all have spun for a whole
 * round, it is another block's or the host's. */
void block_yield(struct worker *w) {
  block_settle(w);
  struct thread *const t = &w->threads[w->current];
  struct fiber *const f = w->fiber;
  if (w->launch->error) block_abandon(w);
  cucc_patience = PATIENCE_SPINNING;
  if (!w->idle_turns++) w->spin_ms = 0;
  if (w->idle_turns > w->count - w->ended) pool_spin(w);
  if (w->started == w->count && w->ready_at == w->ready_end) return;
  check_thread_leaves();
  t->fiber = f;
  t->wait = SPINNING;
  block_make_ready(w, w->current);
  block_jump(w, &f->context,
             w->started < w->count && block_begin_fresh(w) ? &w->fiber->context : block_choose(w));
}

#define PAUSE_NS   50000
#define PAUSES_MAX 100 /* of a worker in a launch: they must not take long */

void block_let_others(struct worker *w) {
  static __thread struct {
    uint64_t launch;
    int count;
  } pauses;
  if (pauses.launch != w->launch->number) pauses.launch = w->launch->number, pauses.count = 0;
  if (w->started < w->count || w->ready_at != w->ready_end)
    block_yield(w);
  else if (pauses.count++ < PAUSES_MAX)
    nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
}

void cucc_spin(void) {
  cucc_patience = PATIENCE;
  if (cucc_worker) block_yield(cucc_worker);
}
