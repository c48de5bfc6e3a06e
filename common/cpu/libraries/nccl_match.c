/* Parties of any list: who waits for whom, whether their calls fit, and what they do then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_inner.h"

const char nccl_alike[] =
    "counts, types, operations and the order of the calls must be the same for all ranks; sends meet "
    "receives in their order";

/* ---------------------------------------------------------------------------------------------- partners */

static bool meets(const struct task *a, int rank_a, const struct task *b, int rank_b) {
  if (a->kind == SEND)
    return b->kind == RECEIVE && a->peer == rank_b && b->peer == rank_a && a->number == b->number;
  if (a->kind == RECEIVE)
    return b->kind == SEND && a->peer == rank_b && b->peer == rank_a && a->number == b->number;
  return b->kind != SEND && b->kind != RECEIVE && a->number == b->number;
}

struct party *nccl_partner(struct party *list, const struct party *p, const struct task *t, int rank,
                           struct task **its) {
  for (struct party *q = list; q; q = q->next) {
    if (q->clique != p->clique || q->rank != rank) continue;
    for (int i = 0; i < q->count; i++)
      if (meets(t, p->rank, &q->task[i], rank)) {
        *its = &q->task[i];
        return q;
      }
  }
  return NULL;
}

bool nccl_needs(const struct party *p, const struct task *t, int rank) {
  return rank != p->rank ? t->kind < SEND || t->peer == rank : t->kind >= SEND && t->peer == rank;
}

bool nccl_gather(struct party *list, struct party *p, const struct party **waiting, const struct task **task,
                 int *missing) {
  p->marked = true;
  for (int i = 0; i < p->count; i++)
    for (int rank = 0; rank < p->clique->ranks; rank++) {
      struct task *its;
      if (!nccl_needs(p, &p->task[i], rank)) continue;
      struct party *q = nccl_partner(list, p, &p->task[i], rank, &its);
      if (!q) {
        *waiting = p, *task = &p->task[i], *missing = rank;
        return false;
      }
      if (!q->marked && !nccl_gather(list, q, waiting, task, missing)) return false;
    }
  return true;
}

void nccl_unmark(struct party *list) {
  for (struct party *p = list; p; p = p->next) p->marked = false;
}

/* ---------------------------------------------------------------------------------------------- the work */

size_t nccl_given(const struct task *t, int rank, int ranks) {
  const bool reads = t->kind == BROADCAST ? rank == t->peer : t->kind != RECEIVE;
  return reads ? t->count * nccl_size(t->type) * (t->kind == REDUCE_SCATTER ? (size_t)ranks : 1) : 0;
}

size_t nccl_received(const struct task *t, int rank, int ranks) {
  const bool writes = t->kind == REDUCE ? rank == t->peer : t->kind != SEND;
  return writes ? t->count * nccl_size(t->type) * (t->kind == ALL_GATHER ? (size_t)ranks : 1) : 0;
}

/* Both speak of the same thing. */
static bool agree(const struct party *p, const struct task *a, const struct party *q, const struct task *b,
                  struct dispute *d) {
  const bool same_kind = a->kind == b->kind || a->kind >= SEND;
  const bool root = a->kind == REDUCE || a->kind == BROADCAST,
             reduces = a->kind == ALL_REDUCE || a->kind == REDUCE || a->kind == REDUCE_SCATTER;
  if (same_kind && a->count == b->count && a->type == b->type && (!root || a->peer == b->peer) &&
      (!reduces || a->op == b->op))
    return true;
  char *text = d->text;
  const size_t size = sizeof d->text;
  *d = (struct dispute){.party = {q, p}, .task = {b, a}};
  if (!same_kind)
    snprintf(text, size, "rank %d calls %s where rank %d calls %s", p->rank, a->call, q->rank, b->call);
  else if (a->count != b->count || a->type != b->type)
    snprintf(text, size, "%s of rank %d has %zu elements of %zu bytes, %s of rank %d has %zu of %zu", a->call,
             p->rank, a->count, nccl_size(a->type), b->call, q->rank, b->count, nccl_size(b->type));
  else
    snprintf(text, size, "the ranks %d and %d call %s with another root or operation", p->rank, q->rank,
             a->call);
  strcat(text, ": on a GPU they would hang, or mix up memory");
  return false;
}

/* A collective, by the party with rank 0: its numbers are computed once, then every rank gets its own. */
static bool collective(struct party *list, const struct party *p, const struct task *t, struct dispute *d) {
  const int ranks = p->clique->ranks;
  const size_t size = nccl_size(t->type), piece = t->count * size;
  const bool gathers = t->kind == ALL_GATHER, scatters = t->kind == REDUCE_SCATTER;
  const size_t whole = gathers || scatters ? piece * (size_t)ranks : piece;
  struct task *its[RANKS_MAX];
  for (int rank = 0; rank < ranks; rank++) {
    const struct party *q = rank == p->rank ? p : nccl_partner(list, p, t, rank, &its[rank]);
    if (q == p) its[rank] = (struct task *)t;
    if (!agree(p, t, q, its[rank], d)) return false;
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

static bool transfer(struct party *list, const struct party *p, const struct task *t, struct dispute *d) {
  struct task *its;
  const struct party *q = nccl_partner(list, p, t, t->peer, &its);
  if (!agree(p, t, q, its, d)) return false;
  memmove(its->receive, t->send, t->count * nccl_size(t->type));
  return true;
}

bool nccl_perform(struct party *list, struct party *first, struct dispute *d) {
  struct party *p = first;
  do {
    for (int i = 0; i < p->count; i++) {
      const struct task *t = &p->task[i];
      if (t->kind == SEND ? !transfer(list, p, t, d)
                          : t->kind != RECEIVE && p->rank == 0 && !collective(list, p, t, d))
        return false;
    }
    p = p->together;
  } while (p != first);
  return true;
}
