/*
 * What the threads of a block have seen of each other by barriers in memory (cuda::barrier).
 *
 * __syncthreads orders all threads of a block at once, so one comparison of ids shows what comes before it. A
 * barrier in memory orders less: what a thread did before it arrived comes before what another one does after
 * its wait; what lies between arriving and waiting is in no order, and neither is a thread that does not wait.
 * So each thread has a view: for each thread of its block, the id up to which it has seen what that one did. A
 * barrier has two: of those that have arrived at the running phase, and of the phases that have ended. Arriving
 * adds the thread's own id and view to the first, waiting adds the second to the thread's. After it has arrived,
 * a thread stamps what it does with a newer id (check_thread_released).
 *
 * Views do not change once a thread has them, so that threads that wait for the same share one: the sums of the
 * last pairs are remembered.
 *
 * From the first init() of a block to its end every access of shared memory is judged (hooks/hooks.c), since
 * that of another thread is in order only if the view says so.
 */
#include "checker/seen.h"
#if CUCC_CHECKED
#include <stdlib.h>
#include <string.h>

#include "base/needed.h"
#include "state/worker.h"
#include "checker/ids.h"
#include "checker/thread_state.h"

#define SUMS 8

struct view {
  struct view *next; /* free ones */
  uint64_t serial;   /* no two views of a worker have the same */
  uint32_t users;
  uint32_t newest; /* of all ids in it */
  uint32_t of[MAX_THREADS];
};

struct object {
  uintptr_t address;
  uint32_t copies;
  struct view *arrived, *ended; /* NULL: nothing */
  uint64_t added;               /* the view that was added to `arrived` last */
};

/* Of each worker, for its running block. */
static struct seen {
  struct object *objects;
  size_t count, room;
  struct view *views[MAX_THREADS]; /* of the threads; in use where `heard` is not 0 */
  struct view *free;
  uint64_t serial;
  struct {
    uint64_t a, b;
    struct view *sum;
  } sums[SUMS];
  unsigned next_sum;
} * all[WORKERS_MAX];

/* ---- views --------------------------------------------------------------------------------------------- */

static struct view *view_new(struct seen *s) {
  struct view *v = s->free;
  if (v)
    s->free = v->next;
  else
    v = needed(malloc(sizeof *v));
  v->users = 1;
  v->newest = 0;
  v->serial = ++s->serial;
  return v;
}

static struct view *view_empty(struct seen *s, const struct worker *w) {
  struct view *v = view_new(s);
  memset(v->of, 0, (size_t)w->count * sizeof *v->of);
  return v;
}

static struct view *view_use(struct view *v) {
  if (v) v->users++;
  return v;
}

static void view_drop(struct seen *s, struct view **v) {
  if (*v && --(*v)->users == 0) {
    (*v)->next = s->free;
    s->free = *v;
  }
  *v = NULL;
}

static void view_add(struct view *into, const struct view *from, int count) {
  for (int i = 0; i < count; i++) into->of[i] = into->of[i] > from->of[i] ? into->of[i] : from->of[i];
  into->newest = ids_larger(into->newest, from->newest);
}

static void view_set(struct view *v, int thread, uint32_t id) {
  v->of[thread] = ids_larger(v->of[thread], id);
  v->newest = ids_larger(v->newest, id);
}

/* One that holds both, for one more user. */
static struct view *view_sum(struct seen *s, struct view *a, struct view *b, int count) {
  if (!a || !b || a == b) return view_use(a ? a : b);
  for (int i = 0; i < SUMS; i++)
    if (s->sums[i].a == a->serial && s->sums[i].b == b->serial) return view_use(s->sums[i].sum);
  struct view *sum = view_new(s);
  memcpy(sum->of, a->of, (size_t)count * sizeof *sum->of);
  sum->newest = a->newest;
  view_add(sum, b, count);
  const unsigned i = s->next_sum++ % SUMS;
  view_drop(s, &s->sums[i].sum);
  s->sums[i].a = a->serial;
  s->sums[i].b = b->serial;
  s->sums[i].sum = view_use(sum);
  return sum;
}

/* ---- of a thread --------------------------------------------------------------------------------------- */

static struct view *view_of(const struct worker *w, int thread) {
  return w->phased[thread].heard ? all[w->index]->views[thread] : NULL;
}

/* Takes over one use of the view. */
static void give(struct worker *w, int thread, struct view *v) {
  struct seen *s = all[w->index];
  view_drop(s, &s->views[thread]);
  s->views[thread] = v;
  w->phased[thread].heard = v ? v->newest : 0;
}

bool seen_of(const struct worker *w, unsigned who, uint32_t id) {
  const struct view *v = view_of(w, w->current);
  return v && who < (unsigned)w->count && id <= v->of[who];
}

/* ---- the barriers of a block --------------------------------------------------------------------------- */

static void object_clear(struct seen *s, struct object *o) {
  view_drop(s, &o->arrived);
  view_drop(s, &o->ended);
  o->copies = 0;
  o->added = 0;
}

void seen_block_begins(struct worker *w) {
  struct thread_state *l = &thread_state;
  struct seen *s = all[w->index];
  if (!l->phases) return;
  l->phases = false;
  l->shared_window = l->profile ? 0 : l->shared.size;
  for (size_t i = 0; i < s->count; i++) object_clear(s, &s->objects[i]);
  for (int t = 0; t < MAX_THREADS; t++) view_drop(s, &s->views[t]);
  for (int i = 0; i < SUMS; i++) view_drop(s, &s->sums[i].sum);
  memset(s->sums, 0, sizeof s->sums);
  s->count = 0;
}

/* The block has its first barrier in memory. */
static void begin(struct worker *w) {
  if (!all[w->index]) all[w->index] = needed(calloc(1, sizeof *all[w->index]));
  thread_state.phases = true;
  thread_state.shared_window = 0;
  memset(w->phased, 0, (size_t)w->count * sizeof *w->phased);
}

static struct object *find(const struct worker *w, const void *object) {
  const struct seen *s = all[w->index];
  for (size_t i = 0; thread_state.phases && i < s->count; i++)
    if (s->objects[i].address == (uintptr_t)object) return &s->objects[i];
  return NULL;
}

bool seen_object(const struct worker *w, const void *object) { return find(w, object) != NULL; }

uint32_t *seen_copies(const struct worker *w, const void *object) {
  static __thread uint32_t none;
  struct object *found = find(w, object);
  none = 0;
  return found ? &found->copies : &none;
}

static struct object *add(struct seen *s) {
  if (s->count == s->room) {
    s->room = s->room ? 2 * s->room : 8;
    s->objects = needed(realloc(s->objects, s->room * sizeof *s->objects));
  }
  memset(&s->objects[s->count], 0, sizeof *s->objects);
  return &s->objects[s->count++];
}

void seen_init(struct worker *w, const void *object) {
  if (!thread_state.phases) begin(w);
  struct object *found = find(w, object);
  if (!found) found = add(all[w->index]);
  found->address = (uintptr_t)object;
  object_clear(all[w->index], found);
}

void seen_arrive(struct worker *w, const void *object) {
  struct object *found = find(w, object);
  if (!found) return;
  if (!found->arrived) found->arrived = view_empty(all[w->index], w);
  const struct view *mine = view_of(w, w->current);
  if (mine && mine->serial != found->added) {
    view_add(found->arrived, mine, w->count);
    found->added = mine->serial;
  }
  view_set(found->arrived, w->current, ID(thread_state.me));
}

/* What was seen at earlier phases stays: a thread may wait for one of them late. */
void seen_complete(struct worker *w, const void *object) {
  struct object *found = find(w, object);
  if (!found) return;
  if (found->arrived && found->ended) view_add(found->arrived, found->ended, w->count);
  if (found->arrived) {
    view_drop(all[w->index], &found->ended);
    found->ended = found->arrived;
  }
  found->arrived = NULL;
  found->added = 0;
  found->copies = 0;
}

void seen_wait(struct worker *w, const void *object) {
  const struct object *found = find(w, object);
  if (found && found->ended)
    give(w, w->current, view_sum(all[w->index], view_of(w, w->current), found->ended, w->count));
}

void seen_met(struct worker *w, int warp, uint32_t group) {
  struct view *met = view_empty(all[w->index], w);
  uint64_t added = 0;
  for (int i = 0; i < 32; i++) {
    const int thread = warp * 32 + i;
    if (!(group >> i & 1)) continue;
    const struct view *v = view_of(w, thread);
    if (v && v->serial != added) view_add(met, v, w->count);
    if (v) added = v->serial;
    view_set(met, thread, ids_larger(w->warps[warp].id, w->phased[thread].stamp));
  }
  for (int i = 0; i < 32; i++)
    if (group >> i & 1) give(w, warp * 32 + i, view_use(met));
  view_drop(all[w->index], &met);
}

#endif
