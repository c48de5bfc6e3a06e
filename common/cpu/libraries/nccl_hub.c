/*
 * Where ranks of several processes meet: on a thread of the process that made their id (nccl_serve.c). It
 * takes the place that cucc.lock has among ranks of one process: here stand the parties of all ranks (struct
 * offer), here the sums are made, and here it shows that ranks wait for what never comes. It knows no device
 * and never waits for a single rank: what is sent is kept until the other side takes it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "nccl_hub.h"

struct hall *hub_halls;

/* ---------------------------------------------------------------------------------------------- words */

/* "rank 1 (process 12 on node n1)" */
const char *hub_names(const struct peer *p) {
  static char text[4][128]; /* for one sentence */
  static int next;
  next = (next + 1) % 4;
  snprintf(text[next], sizeof *text, "rank %d (process %d on node %.60s)", p->hello.rank, p->hello.pid,
           p->hello.node);
  return text[next];
}

static void describe(char *text, size_t size, const struct call *c) {
  const bool pair = c->kind == SEND || c->kind == RECEIVE;
  char peer[32] = "";
  if (pair) snprintf(peer, sizeof peer, c->kind == SEND ? " to rank %d" : " from rank %d", c->peer);
  snprintf(text, size, "%.24s%s%s%.160s", c->name, peer, *c->place ? " at " : "", c->place);
}

/* ---------------------------------------------------------------------------------------------- joining */

/* To all that came, and to those that still come. */
static void refuse_all(struct hall *h, ncclResult_t result, const char *text) {
  h->refusal.result = (int)result;
  h->untold = h->clique.ranks - h->came;
  snprintf(h->refusal.text, sizeof h->refusal.text, "%s", text);
  for (int i = 0; i < RANKS_MAX; i++)
    if (h->peer[i]) hub_send(h->peer[i], REFUSED, 0, &h->refusal, sizeof h->refusal);
}

int hub_untold(void) {
  int untold = 0;
  for (const struct hall *h = hub_halls; h; h = h->next) untold += h->untold > 0 ? h->untold : 0;
  return untold;
}

static void refuse(struct peer *p, const char *text) {
  struct refusal r = {.result = ncclInvalidUsage};
  snprintf(r.text, sizeof r.text, "%s", text);
  hub_send(p, REFUSED, 0, &r, sizeof r);
}

/* What is wrong with a new rank beside those that have come. */
static bool unfit(const struct hall *h, const struct peer *p, char *text, size_t size) {
  const struct hello *a = &p->hello;
  if (a->ranks != h->clique.ranks) {
    for (int i = 0; i < RANKS_MAX; i++)
      if (h->peer[i])
        snprintf(text, size, "the ranks do not agree on their number: %s says %d, %s says %d",
                 hub_names(h->peer[i]), h->clique.ranks, hub_names(p), a->ranks);
    return true;
  }
  if (h->peer[a->rank]) {
    snprintf(text, size, "two processes are rank %d of %d: %s and %s", a->rank, a->ranks,
             hub_names(h->peer[a->rank]), hub_names(p));
    return true;
  }
  for (int i = 0; i < h->clique.ranks; i++) {
    const struct peer *q = h->peer[i];
    if (!q || strcmp(q->hello.node, a->node) || strcmp(q->hello.gpu, a->gpu)) continue;
    snprintf(text, size,
             "Duplicate GPU detected: %s and %s both use %s. Each rank takes its own: cudaSetDevice with the "
             "rank on the node, and CUCC_DEVICES says how many there are",
             hub_names(q), hub_names(p), a->gpu);
    return true;
  }
  return false;
}

static struct hall *hall_of(const struct hello *hello) {
  struct hall *h = hub_halls;
  while (h && (h->id != hello->id || (h->open && !h->here))) h = h->next;
  if (h) return h;
  h = needed(calloc(1, sizeof *h));
  *h = (struct hall){.id = hello->id, .since = now_ms(), .next = hub_halls};
  h->clique.ranks = hello->ranks;
  return hub_halls = h;
}

bool hub_hello(struct peer *p, const struct header *head, const char *body) {
  char text[NCCL_WORDS_MAX];
  const struct hello *hello = &p->hello;
  if (head->bytes != sizeof *hello) return false;
  memcpy(&p->hello, body, sizeof p->hello);
  p->hello.node[sizeof hello->node - 1] = p->hello.gpu[sizeof hello->gpu - 1] = 0;
  pthread_mutex_lock(&cucc.lock);
  const enum nccl_arrival arrival = nccl_arrives(hello->id, hello->secret);
  pthread_mutex_unlock(&cucc.lock);
  if (hello->version != NCCL_PROTOCOL || arrival != ARRIVAL_GOOD || hello->ranks < 1 ||
      hello->ranks > RANKS_MAX || hello->rank < 0 || hello->rank >= hello->ranks) {
    refuse(p, hello->version != NCCL_PROTOCOL
                  ? "the ranks were built with different versions of the CPU backend"
              : arrival == ARRIVAL_COMPLETE
                  ? "all ranks of this ncclUniqueId have come already: this one is too many"
                  : "the ncclUniqueId is old: another run of the program made it");
    return true;
  }
  struct hall *h = hall_of(hello);
  if (h->refusal.result) {
    h->untold--;
    hub_send(p, REFUSED, 0, &h->refusal, sizeof h->refusal);
    return true;
  }
  if (h->open) {
    refuse(p, "all ranks of this ncclUniqueId have come already: this one is too many");
    return true;
  }
  if (unfit(h, p, text, sizeof text)) {
    refuse_all(h, ncclInvalidUsage, text);
    h->untold--;
    hub_send(p, REFUSED, 0, &h->refusal, sizeof h->refusal);
    return true;
  }
  p->hall = h;
  h->peer[hello->rank] = p;
  h->here++;
  if (++h->came < h->clique.ranks) return true;
  h->open = true;
  for (int i = 0; i < h->clique.ranks; i++) hub_send(h->peer[i], WELCOME, 0, NULL, 0);
  return true;
}

/* Not all have come, and the time is over. */
static void check_joining(struct hall *h) {
  char text[NCCL_WORDS_MAX];
  const double limit = nccl_limit_ms();
  int n;
  if (h->refusal.result || now_ms() - h->since < limit) return;
  n = snprintf(text, sizeof text, "%d of %d ranks did not come within %g s (CUCC_NCCL_WAIT): rank",
               h->clique.ranks - h->came, h->clique.ranks, limit / 1e3);
  for (int i = 0; i < h->clique.ranks && n < (int)sizeof text - 200; i++)
    if (!h->peer[i]) n += snprintf(text + n, sizeof text - (size_t)n, " %d", i);
  n += snprintf(text + n, sizeof text - (size_t)n, "; there are");
  for (int i = 0; i < h->clique.ranks && n < (int)sizeof text - 140; i++)
    if (h->peer[i]) n += snprintf(text + n, sizeof text - (size_t)n, " %s", hub_names(h->peer[i]));
  refuse_all(h, ncclRemoteError, text);
  h->untold = 0; /* they did not come in time */
}

void hub_ended(struct peer *p) {
  char text[NCCL_WORDS_MAX];
  struct hall *h = p->hall;
  if (h->open || h->refusal.result) return;
  snprintf(text, sizeof text, "%s has ended before all ranks had come", hub_names(p));
  refuse_all(h, ncclRemoteError, text);
}

/* ---------------------------------------------------------------------------------------------- verdicts */

/* The party never runs. letter: which cause (nccl_rank.c). */
static void judge(struct offer *o, char letter, const char *text) {
  char body[NCCL_WORDS_MAX + 1];
  if (o->peer->gone || o->judged) return;
  o->judged = true;
  body[0] = letter;
  snprintf(body + 1, sizeof body - 1, "%s", text);
  hub_send(o->peer, VERDICT, o->number, body, strlen(body) + 1);
}

static struct offer *oldest(const struct hall *h, const struct peer *p) {
  struct party *q = h->parties;
  while (q && offer_of(q)->peer != p) q = q->next;
  return q ? offer_of(q) : NULL;
}

/* The first rank to go of those that p needs and that left nothing for it; *task: which task needs it. */
static const struct peer *first_gone(const struct hall *h, struct party *p, int *task) {
  const struct peer *first = NULL;
  for (int i = 0; i < p->count; i++)
    for (int rank = 0; rank < h->clique.ranks; rank++) {
      struct task *its;
      const struct peer *gone = h->peer[rank];
      if (!gone->gone || !nccl_needs(p, &p->task[i], rank) || (first && first->gone_ms <= gone->gone_ms))
        continue;
      struct party *q = nccl_partner(h->parties, p, &p->task[i], rank, &its);
      if (q && offer_of(q)->given) continue;
      first = gone;
      *task = i;
    }
  return first;
}

/* One rank that goes may take others along: every party blames the first. */
static void check_gone(const struct hall *h) {
  char text[NCCL_WORDS_MAX], call[240];
  for (struct party *p = h->parties; p; p = p->next) {
    int task;
    const struct peer *gone = first_gone(h, p, &task);
    if (!gone) continue;
    describe(call, sizeof call, &offer_of(p)->calls[task]);
    snprintf(text, sizeof text, "%s of rank %d waits for %s, which %s; its last call was %s", call, p->rank,
             hub_names(gone),
             gone->left ? "has destroyed its communicator" : "has ended without ncclCommDestroy",
             *gone->last ? gone->last : "ncclCommInitRank");
    judge(offer_of(p), 'g', text);
  }
}

static bool stuck(const struct peer *p) { return p->stuck && p->stuck_heard == p->sent; }

/* All that are left wait, or one has not called for too long while another waits. */
static void check_stuck(const struct hall *h) {
  char text[NCCL_WORDS_MAX], call[240];
  const double now = now_ms(), limit = nccl_limit_ms() > PATIENCE_MS ? nccl_limit_ms() : PATIENCE_MS;
  bool all = true, any = false, others = false;
  double since = 0;
  const struct peer *silent = NULL;
  if (!h->parties) return;
  for (int i = 0; i < h->clique.ranks; i++) {
    const struct peer *p = h->peer[i];
    if (p->gone) continue;
    all &= stuck(p);
    if (stuck(p)) {
      any = true;
      others |= p->others;
      if (p->stuck_ms > since) since = p->stuck_ms;
    } else if (now - p->heard_ms > limit)
      silent = p;
  }
  if (!any || !(silent || (all && now - since > (others ? PATIENCE_MS : 0)))) return;
  int n = snprintf(text, sizeof text, "%s: on a GPU they would hang:",
                   silent ? "ranks wait for one that does not call" : "ranks wait for each other");
  for (int i = 0; i < h->clique.ranks && n < (int)sizeof text - 80; i++) {
    const struct peer *p = h->peer[i];
    const struct offer *o = oldest(h, p);
    if (o) describe(call, sizeof call, &o->calls[0]);
    n += snprintf(text + n, sizeof text - (size_t)n, "%s %s %s %s", i ? ";" : "", hub_names(p),
                  p->gone ? "has left after"
                  : o     ? "in"
                          : "after",
                  o          ? call
                  : *p->last ? p->last
                             : "no call");
  }
  for (struct party *p = h->parties; p; p = p->next) {
    /* each rank's first one: its others wait for that */
    if (oldest(h, offer_of(p)->peer) == offer_of(p)) judge(offer_of(p), 'w', text);
  }
}

void hub_check(struct hall *h) {
  if (!h->open) {
    check_joining(h);
    return;
  }
  check_gone(h);
  check_stuck(h);
}

/* ---------------------------------------------------------------------------------------------- parties */

static void offer_free(struct offer *o) {
  free(o->in);
  free(o->out);
  free(o->calls);
  free(o);
}

void hub_forget(struct hall *h) {
  while (h->parties) {
    struct party *next = h->parties->next;
    offer_free(offer_of(h->parties));
    h->parties = next;
  }
}

size_t hub_gives(const struct offer *o) {
  const struct party *p = &o->party;
  size_t bytes = 0;
  for (int i = 0; i < p->count; i++) bytes += nccl_given(&p->task[i], p->rank, p->clique->ranks);
  return bytes;
}

static size_t received_bytes(const struct party *p) {
  size_t bytes = 0;
  for (int i = 0; i < p->count; i++) bytes += nccl_received(&p->task[i], p->rank, p->clique->ranks);
  return bytes;
}

/* Tasks get their places in what was given, and in what is to be sent. */
static void place(struct offer *o) {
  struct party *p = &o->party;
  size_t in = 0, out = 0;
  o->out = needed(malloc(received_bytes(p) + 1));
  for (int i = 0; i < p->count; i++) {
    p->task[i].send = o->in + in;
    p->task[i].receive = o->out + out;
    in += nccl_given(&p->task[i], p->rank, p->clique->ranks);
    out += nccl_received(&p->task[i], p->rank, p->clique->ranks);
  }
}

static void dispute(const struct dispute *d) {
  char text[NCCL_WORDS_MAX], call[2][240];
  for (int k = 0; k < 2; k++) {
    const struct offer *o = offer_of((struct party *)d->party[k]);
    describe(call[k], sizeof *call, &o->calls[d->task[k] - d->party[k]->task]);
  }
  snprintf(text, sizeof text, "%.240s: %s calls %.120s; %s calls %.120s", d->text,
           hub_names(offer_of((struct party *)d->party[0])->peer), call[0],
           hub_names(offer_of((struct party *)d->party[1])->peer), call[1]);
  const struct party *p = d->party[0];
  do {
    judge(offer_of((struct party *)p), 'd', text);
    p = p->together;
  } while (p != d->party[0]);
}

/* The ring's parties are all there: what they have not given yet is asked for; then they run. */
static void advance(struct hall *h, struct party *first) {
  bool all = true, any = false;
  struct party *p = first;
  struct dispute d;
  do {
    all &= offer_of(p)->given;
    any |= offer_of(p)->given;
    p = p->together;
  } while (p != first);
  if (!all) {
    for (p = first->together; any; p = p->together) {
      struct offer *o = offer_of(p);
      if (!o->given && !o->wanted) hub_send(o->peer, WANTED, o->number, NULL, 0);
      o->wanted = true;
      if (p == first) break;
    }
    return;
  }
  do {
    place(offer_of(p));
    p = p->together;
  } while (p != first);
  if (!nccl_perform(h->parties, first, &d)) {
    dispute(&d);
    return;
  }
  do {
    hub_send(offer_of(p)->peer, RESULT, offer_of(p)->number, offer_of(p)->out, received_bytes(p));
    p->done = true;
    p = p->together;
  } while (p != first);
  for (struct party **link = &h->parties; *link;) {
    p = *link;
    if (p->done) {
      *link = p->next;
      offer_free(offer_of(p));
    } else
      link = &p->next;
  }
}

static bool task_of(struct task *t, const struct call *c, int ranks) {
  *t = (struct task){.kind = (enum task_kind)c->kind,
                     .call = c->name,
                     .count = c->count,
                     .type = (ncclDataType_t)c->type,
                     .op = (ncclRedOp_t)c->op,
                     .peer = c->peer,
                     .number = c->number};
  return c->kind >= ALL_REDUCE && c->kind <= RECEIVE && nccl_size(t->type) && c->peer >= 0 &&
         c->peer < ranks && memchr(c->name, 0, sizeof c->name) && memchr(c->place, 0, sizeof c->place);
}

bool hub_call(struct peer *from, const struct header *head, const char *body) {
  struct hall *h = from->hall;
  const size_t count = head->bytes / sizeof(struct call);
  if (!h || !h->open || count < 1 || count > TASKS_MAX || head->bytes % sizeof(struct call)) return false;
  struct offer *o = needed(calloc(1, sizeof *o));
  struct party *p = &o->party, **end = &h->parties;
  *o = (struct offer){.peer = from, .number = head->party};
  o->calls = memcpy(needed(malloc(head->bytes)), body, head->bytes);
  p->clique = &h->clique;
  p->rank = from->hello.rank;
  p->count = (int)count;
  for (size_t i = 0; i < count; i++)
    if (!task_of(&p->task[i], &o->calls[i], h->clique.ranks)) {
      offer_free(o);
      return false;
    }
  while (*end) end = &(*end)->next;
  *end = p;
  describe(from->last, sizeof from->last, &o->calls[0]);
  if (from->hello.pid == getpid()) { /* that the others can say what it was, should this process die */
    char note[300];
    snprintf(note, sizeof note, "the last call of its rank %d was %s", p->rank, from->last);
    for (int i = 0; i < h->clique.ranks; i++)
      if (!h->peer[i]->gone && h->peer[i]->hello.pid != getpid())
        hub_send(h->peer[i], NOTE, 0, note, strlen(note) + 1);
  }
  const struct party *waiting;
  const struct task *task;
  int missing;
  nccl_unmark(h->parties);
  if (!nccl_gather(h->parties, p, &waiting, &task, &missing)) return true;
  struct party *first = NULL, *last = NULL;
  for (struct party *q = h->parties; q; q = q->next) {
    if (!q->marked) continue;
    if (last) last->together = q;
    if (!first) first = q;
    last = q;
    q->ready = true;
  }
  last->together = first;
  advance(h, first);
  return true;
}

struct offer *hub_offer(const struct peer *from, uint32_t number) {
  struct party *p = from->hall ? from->hall->parties : NULL;
  while (p && (offer_of(p)->peer != from || offer_of(p)->number != number)) p = p->next;
  return p ? offer_of(p) : NULL;
}

bool hub_give(struct peer *from, const struct header *head, char **body) {
  struct offer *o = hub_offer(from, head->party);
  if (!o || o->given || head->bytes != hub_gives(o)) return false;
  o->given = true;
  o->in = *body;
  *body = NULL;
  if (o->party.ready) advance(from->hall, &o->party);
  return true;
}
