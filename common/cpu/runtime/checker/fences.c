/*
 * Fences: a block that has executed __threadfence releases, with its next atomic operation on X, all it did
 * so far; an atomic operation on X acquires what was released there. That is the last-block and the lock
 * pattern. In shared memory __threadfence_block is enough. What a lane has acquired, the lanes that it meets
 * in a warp function have acquired, too.
 */
#include "checker/fences.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/worker.h"
#include "memory/shadow.h"
#include "checker/epochs.h"
#include "checker/ids.h"
#include "checker/pending.h"
#include "checker/seen.h"
#include "checker/thread_state.h"
#include "checker/turn.h"

#define SYNC_SIZE 1024 /* places of the table of released-on addresses; a power of two */

struct released {
  uintptr_t address;
  unsigned launch; /* entries of earlier launches count as free */
  uint32_t at[WORKERS_MAX];
};
static struct released *released;
static pthread_mutex_t released_lock = PTHREAD_MUTEX_INITIALIZER;

void check_warp_acquired(struct worker *w, int warp, uint32_t group) {
  fences_settle();
  struct thread *first = &w->threads[warp * 32];
  uint32_t acquired = 0;
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) acquired = ids_larger(acquired, first[i].acquired);
  for (int i = 0; acquired && i < 32; i++)
    if (group >> i & 1) first[i].acquired = acquired;
  if (UNLIKELY(thread_state.phases)) seen_met(w, warp, group);
}

void fences_settle(void) {
  struct thread_state *l = &thread_state;
  if (l->pending.size) judge_pending();
  if (l->volatile_read) {
    fences_acquire(l, l->volatile_read);
    l->volatile_read = 0;
  }
}

void check_fence(struct worker *w, enum fence fence) {
  (void)w;
  if (fence > thread_state.fenced) thread_state.fenced = fence;
}

/* The entry of an address, or a free place for it; with the lock held. A full table forgets: races may be
 * missed. */
static struct released *entry_of(uintptr_t address) {
  if (!released) released = needed(calloc(SYNC_SIZE, sizeof *released));
  size_t i = (address >> 2) * 0x9e3779b1u % SYNC_SIZE;
  for (int tries = 0; tries < 16 && released[i].launch == ids.launches && released[i].address != address;
       tries++)
    i = (i + 1) % SYNC_SIZE;
  return &released[i];
}

void fences_release(struct thread_state *l, uintptr_t address, enum fence fence) {
  struct worker *w = cucc_worker;
  const bool shared = address - l->shared.base < l->shared.size;
  if (!w || (fence < l->fenced ? l->fenced : fence) < (shared ? FENCE_BLOCK : FENCE_GRID)) return;
  /* what this thread acquired from others of its block is passed on */
  uint32_t mine = ids_larger(ID(l->me), w->threads[w->current].acquired);
  if (UNLIKELY(l->phases)) mine = ids_larger(mine, w->phased[w->current].heard);
  pthread_mutex_lock(&released_lock);
  struct released *r = entry_of(address);
  if (r->address != address || r->launch != ids.launches) memset(r, 0, sizeof *r);
  r->address = address;
  r->launch = ids.launches;
  for (int k = 0; k < ids.workers; k++) r->at[k] = ids_larger(r->at[k], l->acquired[k]);
  r->at[w->index] = ids_larger(r->at[w->index], mine);
  __atomic_store_n(&ids.released_any, true, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&released_lock);
  check_warp_synchronised(w,
                          &w->warps[w->current / 32]); /* what this warp does from now on was not released */
  check_thread_resumes(w);
}

void fences_acquire(struct thread_state *l, uintptr_t address) {
  struct worker *w = cucc_worker;
  __atomic_thread_fence(__ATOMIC_ACQUIRE); /* the volatile load of `address` comes first, on aarch64 too */
  if (!w || !__atomic_load_n(&ids.released_any, __ATOMIC_RELAXED)) return;
  pthread_mutex_lock(&released_lock);
  struct released *r = entry_of(address);
  if (r->address == address && r->launch == ids.launches) {
    uint32_t *mine = &w->threads[w->current].acquired;
    for (int k = 0; k < ids.workers; k++) l->acquired[k] = ids_larger(l->acquired[k], r->at[k]);
    l->acquired_any = true;
    *mine = ids_larger(*mine, r->at[w->index]);
  }
  pthread_mutex_unlock(&released_lock);
}

#endif
