/* Parties: who waits for whom, when all are there, and what they do then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nccl_inner.h"

#define PATIENCE_MS 5000.0 /* for ranks of other threads, while nothing at all happens */

static struct party *parties; /* queued, not yet run */

/* ---------------------------------------------------------------------------------------------- partners */

static bool meets(const struct task *a, int rank_a, const struct task *b, int rank_b) {
  if (a->kind == SEND)
    return b->kind == RECEIVE && a->peer == rank_b && b->peer == rank_a && a->number == b->number;
  if (a->kind == RECEIVE)
    return b->kind == SEND && a->peer == rank_b && b->peer == rank_a && a->number == b->number;
  return b->kind != SEND && b->kind != RECEIVE && a->number == b->number;
}

/* The party of `rank` that has part in a task of p, and which of its tasks; NULL while it has not called. */
static struct party *partner(const struct party *p, const struct task *t, int rank, struct task **its) {
  for (struct party *q = parties; q; q = q->next) {
    if (q->clique != p->clique || q->rank != rank) continue;
    for (int i = 0; i < q->count; i++)
      if (meets(t, p->rank, &q->task[i], rank)) {
        *its = &q->task[i];
        return q;
      }
  }
  return NULL;
}

static bool needs(const struct party *p, const struct task *t, int rank) {
  return rank != p->rank ? t->kind < SEND || t->peer == rank : t->kind >= SEND && t->peer == rank;
}

/* Marks p and all that it waits for, directly and by way of others. Returns false, with the first one that is
 * missing, when they are not all there. */
static bool gather(struct party *p, const struct party **waiting, const struct task **task, int *missing) {
  p->marked = true;
  for (int i = 0; i < p->count; i++)
    for (int rank = 0; rank < p->clique->ranks; rank++) {
      struct task *its;
      if (!needs(p, &p->task[i], rank)) continue;
      struct party *q = partner(p, &p->task[i], rank, &its);
      if (!q) {
        *waiting = p, *task = &p->task[i], *missing = rank;
        return false;
      }
      if (!q->marked && !gather(q, waiting, task, missing)) return false;
    }
  return true;
}

static void unmark(void) {
  for (struct party *p = parties; p; p = p->next) p->marked = false;
}

/* ---------------------------------------------------------------------------------------------- readiness */

/* All marked parties run as one: after everything that comes before any of them. */
static void release(void) {
  struct clock all = {0};
  struct party *first = NULL, *last = NULL;
  for (struct party *p = parties; p; p = p->next) {
    if (!p->marked) continue;
    clock_join(&all, &p->op->clock);
    if (last) last->together = p;
    if (!first) first = p;
    last = p;
  }
  last->together = first;
  for (struct party *p = parties; p; p = p->next) {
    if (!p->marked) continue;
    clock_join(&p->op->clock, &all);
    clock_join(&p->op->stream->clock, &all);
    p->op->work->held = false;
    p->ready = true;
  }
  if (cucc.waiters) clock_join(&cucc.wanted, &all);
  clock_free(&all);
  pthread_cond_signal(&cucc.work);
}

/* The party that runs as one with p and whose stream does other work first, and that work: a party, too. */
static struct party *comes_after(struct party *p, struct party **first) {
  struct party *q = p;
  do {
    const struct op *op = q->op->stream->first;
    for (*first = parties; *first && (*first)->op != op;) *first = (*first)->next;
    if (op != q->op && *first && (*first)->ready) return q;
    q = q->together;
  } while (q != p);
  return NULL;
}

/* Nothing can run. True, with a finding, when parties that are all there wait for each other: each begins
 * with a call whose partner comes after another such call. */
static bool circular(void) {
  struct party *p = parties, *first = NULL;
  unmark();
  while (p && !(p->ready && p->op == p->op->stream->first)) p = p->next;
  for (; p && !p->marked; p = comes_after(p, &first) ? first : NULL) p->marked = true;
  unmark();
  if (!p) return false;
  const struct party *late = comes_after(p, &first); /* p came twice, so it is in the circle */
  const struct task *t = &p->task[0], *its = &late->task[0], *before = &first->task[0];
  char text[240];
  snprintf(text, sizeof text,
           "%s of rank %d waits for %s of rank %d, which comes after its %s; that one waits, too, and so all "
           "wait for each other: on a GPU it can hang",
           t->call, p->rank, its->call, late->rank, before->call);
  work_finding(TOOL_SYNC, text, t->site, before->site, NULL,
               "a send ends when its receive has begun: put both between ncclGroupStart and ncclGroupEnd, or "
               "let one of the two ranks receive first");
  for (p = parties; p; p = p->next) clock_free(&p->op->clock); /* so that they can end, without effect */
  return true;
}

/* Nothing can run, and a rank waits. True when it is certain, or nearly so, that its partners never join. */
static bool stalled(void) {
  if (circular()) return true;
  const struct party *waiting = NULL;
  const struct task *task = NULL;
  int missing = 0;
  for (struct party *p = parties; p && !task; p = p->next) {
    unmark();
    if (!p->ready) gather(p, &waiting, &task, &missing);
  }
  unmark();
  if (!task) return false;
  const struct clique *c = task->comm->clique;
  if ((c->threads || c->joined < c->ranks) && now_ms() - cucc.last_call_ms < PATIENCE_MS) return false;
  char text[200];
  snprintf(text, sizeof text,
           "%s of rank %d waits for rank %d (of %d), which never calls it: on a GPU it would hang",
           task->call, waiting->rank, missing, waiting->clique->ranks);
  work_finding(
      TOOL_SYNC, text, task->site, 0, NULL,
      "every rank must call; a thread that has several ranks calls for each, between ncclGroupStart and "
      "ncclGroupEnd");
  return true;
}

/* ---------------------------------------------------------------------------------------------- the work */

static struct extent numbers(const struct task *t, const char *name, const void *at, size_t count) {
  return (struct extent){name, at, nccl_size(t->type), count > 0, (int64_t)count, 1, PART_ALL};
}

/* What a task reads and writes of its rank's memory. */
static bool touches(struct work *w, const struct party *p, const struct task *t) {
  const size_t ranks = (size_t)p->clique->ranks;
  const bool root = p->rank == t->peer;
  const bool reads = t->kind == BROADCAST ? root : t->kind != RECEIVE;
  const bool writes = t->kind == REDUCE ? root : t->kind != SEND;
  const struct extent from =
      numbers(t, "the send buffer", t->send, t->count * (t->kind == REDUCE_SCATTER ? ranks : 1));
  const struct extent to =
      numbers(t, "the receive buffer", t->receive, t->count * (t->kind == ALL_GATHER ? ranks : 1));
  return (!reads || work_reads(w, &from)) && (!writes || work_writes(w, &to));
}

/* Both speak of the same thing; if not, a finding. */
static bool agree(const struct party *p, const struct task *a, const struct party *q, const struct task *b) {
  const bool same_kind = a->kind == b->kind || a->kind >= SEND;
  const bool root = a->kind == REDUCE || a->kind == BROADCAST,
             reduces = a->kind == ALL_REDUCE || a->kind == REDUCE || a->kind == REDUCE_SCATTER;
  if (same_kind && a->count == b->count && a->type == b->type && (!root || a->peer == b->peer) &&
      (!reduces || a->op == b->op))
    return true;
  char text[240];
  if (!same_kind)
    snprintf(text, sizeof text, "rank %d calls %s where rank %d calls %s", p->rank, a->call, q->rank,
             b->call);
  else if (a->count != b->count || a->type != b->type)
    snprintf(text, sizeof text, "%s of rank %d has %zu elements of %zu bytes, %s of rank %d has %zu of %zu",
             a->call, p->rank, a->count, nccl_size(a->type), b->call, q->rank, b->count, nccl_size(b->type));
  else
    snprintf(text, sizeof text, "the ranks %d and %d call %s with another root or operation", p->rank,
             q->rank, a->call);
  strcat(text, ": on a GPU they would hang, or mix up memory");
  work_finding(
      TOOL_SYNC, text, b->site, a->site, NULL,
      "counts, types, operations and the order of the calls must be the same for all ranks; sends meet "
      "receives in their order");
  return false;
}

/* A collective, by the party with rank 0: its numbers are computed once, then every rank gets its own. */
static bool collective(const struct party *p, const struct task *t) {
  const int ranks = p->clique->ranks;
  const size_t size = nccl_size(t->type), piece = t->count * size;
  const bool gathers = t->kind == ALL_GATHER, scatters = t->kind == REDUCE_SCATTER;
  const size_t whole = gathers || scatters ? piece * (size_t)ranks : piece;
  struct task *its[RANKS_MAX];
  for (int rank = 0; rank < ranks; rank++) {
    const struct party *q = rank == p->rank ? p : partner(p, t, rank, &its[rank]);
    if (q == p) its[rank] = (struct task *)t;
    if (!agree(p, t, q, its[rank])) return false;
  }
  char *result = needed(malloc(whole ? whole : 1));
  for (int rank = 0; rank < ranks; rank++) {
    const void *from = its[rank]->send;
    if (gathers)
      memcpy(result + (size_t)rank * piece, from, piece);
    else if (t->kind == BROADCAST ? rank == t->peer : rank == 0)
      memcpy(result, from, whole);
    else if (t->kind != BROADCAST)
      nccl_combine(result, from, whole / size, t->type, t->op);
  }
  if (t->kind != BROADCAST && !gathers && t->op == ncclAvg) nccl_divide(result, whole / size, t->type, ranks);
  for (int rank = 0; rank < ranks; rank++)
    if (t->kind != REDUCE || rank == t->peer)
      memcpy(its[rank]->receive, result + (scatters ? (size_t)rank * piece : 0), scatters ? piece : whole);
  free(result);
  return true;
}

static bool transfer(const struct party *p, const struct task *t) {
  struct task *its;
  const struct party *q = partner(p, t, t->peer, &its);
  if (!agree(p, t, q, its)) return false;
  memmove(its->receive, t->send, t->count * nccl_size(t->type));
  return true;
}

/* What all parties of the ring have to do: first everything is looked at. */
static bool perform(struct party *first) {
  struct party *p = first;
  do {
    work_begins(p->op->work, p->op);
    for (int i = 0; i < p->count; i++)
      if (!touches(p->op->work, p, &p->task[i])) return false;
    p = p->together;
  } while (p != first);
  do {
    for (int i = 0; i < p->count; i++) {
      const struct task *t = &p->task[i];
      if (t->kind == SEND ? !transfer(p, t) : t->kind != RECEIVE && p->rank == 0 && !collective(p, t))
        return false;
    }
    p = p->together;
  } while (p != first);
  return true;
}

struct party_work {
  struct work work;
  struct party *party;
};

static bool run(struct work *work) {
  struct party *me = ((struct party_work *)work)->party;
  pthread_mutex_lock(&cucc.lock);
  if (!me->done) {
    const bool good = perform(me);
    struct party *p = me;
    do {
      p->done = true;
      p->good = good;
      p = p->together;
    } while (p != me);
  }
  struct party **link = &parties;
  while (*link != me) link = &(*link)->next;
  *link = me->next;
  pthread_mutex_unlock(&cucc.lock);
  const bool good = me->good;
  free(me);
  return good;
}

cudaError_t party_queue(struct party *party) {
  const struct task *t = &party->task[0];
  const struct party_work w = {
      .work = {.size = sizeof w, .call = t->call, .site = t->site, .run = run, .held = true}, .party = party};
  const struct party *waiting;
  const struct task *task;
  int missing;
  work_stalled = stalled;
  cudaError_t error = work_put(&w.work, t->stream, USE_LAUNCH, &party->op);
  if (error) {
    free(party);
    return error;
  }
  party->next = parties;
  parties = party;
  unmark();
  if (gather(party, &waiting, &task, &missing)) release();
  return cudaSuccess;
}
