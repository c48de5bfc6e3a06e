/*
 * What the threads of a block have seen of each other by barriers in memory (cuda::barrier).
 *
 * __syncthreads orders all threads of a block at once, so one comparison of ids tells what comes before it. A
 * barrier in memory orders less: what a thread did before it arrived comes before what another one does after
 * its wait; what lies between arriving and waiting is in no order, and neither is a thread that does not wait.
 * So each thread has a row: for each thread of its block, the id up to which it has seen what that one did. A
 * barrier has two: what those saw that have arrived at the running phase, and what goes with the phases that
 * have ended. Arriving adds the thread's own id and row to the first, waiting adds the second to the thread's.
 * After it has arrived, a thread stamps what it does with a newer id (check_thread_released).
 *
 * From the first init() of a block to its end every access of shared memory is judged (hooks/hooks.c), since
 * that of another thread is in order only if its row says so.
 */
#include "checker/seen.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/worker.h"
#include "checker/ids.h"
#include "checker/thread_state.h"

struct object {
  uintptr_t address;
  uint32_t copies;
  uint32_t newest; /* of the phases that have ended */
  uint32_t arrived[MAX_THREADS], ended[MAX_THREADS];
};

/* Of each worker, for its running block: kept for the next one. */
static struct objects {
  struct object **items;
  size_t count, room;
  uint32_t *rows; /* of w->count threads each; a row is of use where `heard` is not 0 */
  size_t threads;
} objects[WORKERS_MAX];

void seen_block_begins(struct worker *w) {
  struct thread_state *l = &thread_state;
  if (!l->phases) return;
  l->phases = false;
  l->shared_window = l->profile ? 0 : l->shared.size;
  objects[w->index].count = 0;
}

/* The block has its first barrier in memory. */
static void begin(struct worker *w) {
  struct objects *o = &objects[w->index];
  thread_state.phases = true;
  thread_state.shared_window = 0;
  memset(w->phased, 0, (size_t)w->count * sizeof *w->phased);
  if (o->threads >= (size_t)w->count) return;
  o->threads = (size_t)w->count;
  free(o->rows);
  o->rows = needed(malloc(o->threads * o->threads * sizeof *o->rows));
}

static uint32_t *row_of(const struct worker *w, int thread) {
  return &objects[w->index].rows[(size_t)thread * (size_t)w->count];
}

static struct object *find(const struct worker *w, const void *object) {
  const struct objects *o = &objects[w->index];
  for (size_t i = 0; thread_state.phases && i < o->count; i++)
    if (o->items[i]->address == (uintptr_t)object) return o->items[i];
  return NULL;
}

bool seen_object(const struct worker *w, const void *object) { return find(w, object) != NULL; }

uint32_t *seen_copies(const struct worker *w, const void *object) {
  static __thread uint32_t none;
  struct object *found = find(w, object);
  return found ? &found->copies : &none;
}

static struct object *add(struct worker *w) {
  struct objects *o = &objects[w->index];
  if (o->count == o->room) {
    const size_t room = o->room ? 2 * o->room : 4;
    o->items = needed(realloc(o->items, room * sizeof *o->items));
    for (size_t i = o->room; i < room; i++) o->items[i] = needed(malloc(sizeof *o->items[i]));
    o->room = room;
  }
  return o->items[o->count++];
}

void seen_init(struct worker *w, const void *object) {
  if (!thread_state.phases) begin(w);
  struct object *found = find(w, object);
  if (!found) found = add(w);
  found->address = (uintptr_t)object;
  found->copies = found->newest = 0;
  memset(found->arrived, 0, sizeof found->arrived);
  memset(found->ended, 0, sizeof found->ended);
}

/* into = the larger ones of both */
static void join(uint32_t *into, const uint32_t *from, int count) {
  for (int i = 0; i < count; i++) into[i] = into[i] > from[i] ? into[i] : from[i];
}

void seen_arrive(struct worker *w, const void *object) {
  struct object *found = find(w, object);
  if (!found) return;
  if (w->phased[w->current].heard) join(found->arrived, row_of(w, w->current), w->count);
  found->arrived[w->current] = ids_larger(found->arrived[w->current], ID(thread_state.me));
}

/* What was seen at earlier phases stays: a thread may wait for one of them late. */
void seen_complete(struct worker *w, const void *object) {
  struct object *found = find(w, object);
  if (!found) return;
  join(found->ended, found->arrived, w->count);
  memset(found->arrived, 0, (size_t)w->count * sizeof *found->arrived);
  for (int i = 0; i < w->count; i++) found->newest = ids_larger(found->newest, found->ended[i]);
  found->copies = 0;
}

static void hear(struct worker *w, int thread, const uint32_t *of, uint32_t newest) {
  uint32_t *heard = &w->phased[thread].heard;
  if (!newest) return;
  if (*heard)
    join(row_of(w, thread), of, w->count);
  else
    memcpy(row_of(w, thread), of, (size_t)w->count * sizeof *of);
  *heard = ids_larger(*heard, newest);
}

void seen_wait(struct worker *w, const void *object) {
  const struct object *found = find(w, object);
  if (found) hear(w, w->current, found->ended, found->newest);
}

void seen_met(struct worker *w, int warp, uint32_t group) {
  uint32_t all[MAX_THREADS], newest = 0;
  memset(all, 0, (size_t)w->count * sizeof *all);
  for (int i = 0; i < 32; i++) {
    const int thread = warp * 32 + i;
    if (!(group >> i & 1)) continue;
    if (w->phased[thread].heard) join(all, row_of(w, thread), w->count);
    newest = ids_larger(newest, w->phased[thread].heard);
    all[thread] = ids_larger(all[thread], ids_larger(w->warps[warp].id, w->phased[thread].stamp));
    newest = ids_larger(newest, all[thread]);
  }
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) hear(w, warp * 32 + i, all, newest);
}

bool seen_of(const struct worker *w, unsigned who, uint32_t id) {
  return w->phased[w->current].heard && who < (unsigned)w->count && id <= row_of(w, w->current)[who];
}

#endif
