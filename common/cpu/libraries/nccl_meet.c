/* Ranks of one process: when a party may run, and what to say when it never will. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_inner.h"

#define PATIENCE_MS 5000.0 /* for ranks of other threads, while nothing at all happens */

static struct party *parties; /* queued, not yet run */

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
  nccl_unmark(parties);
  while (p && !(p->ready && p->op == p->op->stream->first)) p = p->next;
  for (; p && !p->marked; p = comes_after(p, &first) ? first : NULL) p->marked = true;
  nccl_unmark(parties);
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
static bool local_stalled(void) {
  if (circular()) return true;
  const struct party *waiting = NULL;
  const struct task *task = NULL;
  int missing = 0;
  for (struct party *p = parties; p && !task; p = p->next) {
    nccl_unmark(parties);
    if (!p->ready) nccl_gather(parties, p, &waiting, &task, &missing);
  }
  nccl_unmark(parties);
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

static struct extent numbers(const struct task *t, const char *name, const void *at, size_t bytes) {
  const size_t size = nccl_size(t->type);
  return (struct extent){name, at, size, bytes > 0, (int64_t)(bytes / size), 1, PART_ALL};
}

bool party_reads(struct work *w, const struct party *p) {
  for (int i = 0; i < p->count; i++) {
    const struct task *t = &p->task[i];
    const size_t bytes = nccl_given(t, p->rank, p->clique->ranks);
    const struct extent from = numbers(t, "the send buffer", t->send, bytes);
    if (bytes && !work_reads(w, &from)) return false;
  }
  return true;
}

bool party_writes(struct work *w, const struct party *p) {
  for (int i = 0; i < p->count; i++) {
    const struct task *t = &p->task[i];
    const size_t bytes = nccl_received(t, p->rank, p->clique->ranks);
    const struct extent to = numbers(t, "the receive buffer", t->receive, bytes);
    if (bytes && !work_writes(w, &to)) return false;
  }
  return true;
}

/* What all parties of the ring have to do: first everything is looked at. */
static bool perform(struct party *first) {
  struct party *p = first;
  struct dispute d;
  do {
    work_begins(p->op->work, p->op);
    if (!party_reads(p->op->work, p) || !party_writes(p->op->work, p)) return false;
    p = p->together;
  } while (p != first);
  if (nccl_perform(parties, first, &d)) return true;
  work_finding(TOOL_SYNC, d.text, d.task[0]->site, d.task[1]->site, NULL, nccl_alike);
  return false;
}

bool parties_wait(void) { return parties; }

bool nccl_stalled(void) {
  if (ranks_only_asked()) return false; /* this process's own host does not wait: it has more to do */
  if (local_stalled()) return true;
  ranks_stalled(parties);
  return false;
}

struct party_work {
  struct work work;
  struct party *party;
};

/* As it is in a graph. */
struct party_node {
  struct party_work at;
  struct party pattern;
};

static bool run(struct work *work) {
  struct party *me = ((struct party_work *)work)->party;
  if (!me) return false; /* its communicator is gone */
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

/* The party's operation is in its stream. */
static void wait_for_others(struct party *party, struct op *op) {
  const struct party *waiting;
  const struct task *task;
  int missing;
  party->op = op;
  party->next = parties;
  parties = party;
  nccl_unmark(parties);
  if (nccl_gather(parties, party, &waiting, &task, &missing)) release();
}

static void launched(struct op *op) {
  struct party_node *node = (struct party_node *)op->work;
  struct party *party = node->at.party = nccl_party_of(&node->pattern);
  if (party)
    wait_for_others(party, op);
  else
    op->work->held = false;
}

cudaError_t party_queue(struct party *party) {
  const struct task *t = &party->task[0];
  const bool captured = party->captured;
  struct party_node w = {.at.work = {.call = t->call, .site = t->site, .run = run, .held = true}};
  struct op *op;
  w.at.work.size = captured ? sizeof w : sizeof w.at;
  w.at.work.launched = captured ? launched : NULL;
  w.at.party = captured ? NULL : party;
  w.pattern = *party;
  work_stalled = nccl_stalled;
  cudaError_t error = work_put(&w.at.work, t->stream, USE_LAUNCH, &op);
  if (!error && !captured) wait_for_others(party, op);
  if (error || captured) free(party);
  return error;
}
