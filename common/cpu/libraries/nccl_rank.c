/* A rank whose communicator has ranks of other processes: its link to the hub of the id (nccl_hub.c). */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/places.h"
#include "base/threads.h"
#include "nccl_message.h"
#include "state/op.h"
#include "state/streams.h"

#define PATIENCE_MS  5000.0 /* for another thread of this process, while nothing at all happens */
#define ALIVE_MS     1000
#define ALIVE_CPU_MS 10 /* of processor time in that: the process does something */

/* A party on its way: first it gives, then it gets. */
struct remote {
  struct party *party;
  struct link *link;
  uint32_t number;
  struct op *give, *get;
  uint64_t node; /* that it was launched by; 0: not by a graph */
  char *result;
  bool given, asked; /* asked: another rank waits for what it gives, and the engine runs for that */
  struct remote *next;
};

/* Never freed, so that work and the reader may look at it at any time. All with cucc.lock held. */
struct link {
  int fd, rank, device;
  pthread_mutex_t sending; /* a message at a time */
  bool welcome, refused, lost, left, stuck;
  struct refusal refusal;
  struct unique maker;
  char maker_call[200]; /* the last call that a rank of the maker's process made */
  uint64_t heard;
  uint32_t parties;
  struct remote *remotes; /* oldest first */
  const struct clique *clique;
  struct link *next;
};

static struct link *links;
static int asked; /* remotes that count among cucc.waiters */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void tell(struct link *l, enum message message, uint32_t party, const void *body, size_t bytes) {
  const struct header h = {message, party, bytes};
  pthread_mutex_lock(&l->sending);
  socket_send(l->fd, &h, body); /* an error: the reader learns of it, too */
  pthread_mutex_unlock(&l->sending);
}

/* ---------------------------------------------------------------------------------------------- joining */

/* Two ranks with the same of these have the same GPU. A GPU that Slurm gives to each task is the task's. */
static void name_gpu(char *text, size_t size, int device) {
  const char *visible = getenv("CUDA_VISIBLE_DEVICES"), *task = getenv("SLURM_LOCALID");
  const bool own = getenv("SLURM_GPUS_PER_TASK") || getenv("SLURM_TRES_PER_TASK");
  char copy[256], *rest = copy, *word = NULL;
  snprintf(copy, sizeof copy, "%s", visible ? visible : "");
  for (int i = 0; visible && i <= device; i++) word = strsep(&rest, ",");
  if (visible && own && task)
    snprintf(text, size, "device %d of task %s", device, task);
  else if (word && *word)
    snprintf(text, size, "device %.64s", word);
  else
    snprintf(text, size, "device %d", device);
}

static ncclResult_t refuse(ncclResult_t result, const char *why) {
  fprintf(stderr, "cucc: NCCL: %s\n", why);
  return nccl_fail(result, why);
}

static void *reader(void *link);

ncclResult_t rank_greet(struct ncclComm *comm) {
  static __thread char why[NCCL_WORDS_MAX];
  struct unique maker;
  memcpy(&maker, comm->unique.internal, sizeof maker);
  const struct unique *u = &maker;
  const int fd = u->port ? socket_connect(u, nccl_limit_ms()) : -1;
  if (fd < 0) {
    snprintf(
        why, sizeof why,
        "rank %d on %s reaches no process at node %.59s, port %u: process %d, which made the ncclUniqueId, "
        "has ended (an old id?), %s",
        comm->rank, node_name(), u->node, u->port, u->pid,
        u->port ? "or the network does not let it through" : "or may open no sockets there");
    return refuse(ncclRemoteError, why);
  }
  struct hello hello = {.id = u->id, .secret = u->secret, .version = NCCL_PROTOCOL, .rank = comm->rank};
  hello.ranks = comm->clique->ranks;
  hello.pid = getpid();
  snprintf(hello.node, sizeof hello.node, "%s", node_name());
  name_gpu(hello.gpu, sizeof hello.gpu, comm->device);
  struct link *l = needed(calloc(1, sizeof *l));
  *l = (struct link){.fd = fd, .maker = maker, .sending = PTHREAD_MUTEX_INITIALIZER};
  l->rank = comm->rank;
  l->device = comm->device;
  l->clique = comm->clique;
  tell(l, HELLO, 0, &hello, sizeof hello);
  pthread_mutex_lock(&cucc.lock);
  l->next = links;
  links = l;
  comm->link = l;
  pthread_mutex_unlock(&cucc.lock);
  return thread_start(0, reader, l) ? ncclSuccess : refuse(ncclSystemError, "the system gives no thread");
}

/* The hub itself ends the wait for ranks that never come; this limit is for a hub that does not answer. */
ncclResult_t rank_await(struct ncclComm *comm) {
  struct link *l = comm->link;
  struct timespec t;
  bool late = false;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec += (time_t)(nccl_limit_ms() / 1e3) * 2 + 2;
  pthread_mutex_lock(&cucc.lock);
  while (!l->welcome && !l->refused && !l->lost && !late)
    late = pthread_cond_timedwait(&changed, &cucc.lock, &t) != 0;
  const bool welcome = l->welcome;
  if (!welcome && !l->refused) {
    l->refusal.result = ncclRemoteError;
    snprintf(l->refusal.text, sizeof l->refusal.text,
             "process %d on node %s, which made the ncclUniqueId, %s before all ranks had come", l->maker.pid,
             l->maker.node, late ? "did not answer" : "ended");
  }
  pthread_mutex_unlock(&cucc.lock);
  return welcome ? ncclSuccess : refuse((ncclResult_t)l->refusal.result, l->refusal.text);
}

bool rank_lost(const struct ncclComm *comm) { return comm->link && comm->link->lost; }

void rank_leave(struct ncclComm *comm) {
  struct link *l = comm->link;
  if (!l) return;
  tell(l, BYE, 0, NULL, 0);
  pthread_mutex_lock(&cucc.lock);
  l->left = true;
  if (l->fd >= 0) shutdown(l->fd, SHUT_WR);
  pthread_mutex_unlock(&cucc.lock);
}

void ranks_end(void) {
  for (struct link *l = links; l; l = l->next)
    if (!l->left && l->fd >= 0) shutdown(l->fd, SHUT_RDWR);
}

/* ---------------------------------------------------------------------------------------------- parties */

struct remote_work {
  struct work work;
  struct remote *remote;
};

/* As it is in a graph: two nodes of a number, one that gives and one that gets. */
struct remote_node {
  struct remote_work at;
  uint64_t number;
  struct party pattern;
};

static struct remote *remote_of(struct work *work) { return ((struct remote_work *)work)->remote; }

static bool give(struct work *work) {
  struct remote *r = remote_of(work);
  if (!r) return false; /* its communicator is gone */
  struct party *p = r->party;
  struct link *l = r->link;
  struct header h = {GIVE, r->number, 0};
  if (!party_reads(work, p)) return false;
  for (int i = 0; i < p->count; i++) h.bytes += nccl_given(&p->task[i], p->rank, p->clique->ranks);
  char *all = needed(malloc(h.bytes ? h.bytes : 1)), *at = all;
  for (int i = 0; i < p->count; i++) {
    const size_t bytes = nccl_given(&p->task[i], p->rank, p->clique->ranks);
    if (bytes) memcpy(at, p->task[i].send, bytes);
    at += bytes;
  }
  tell(l, GIVE, r->number, all, h.bytes);
  free(all);
  pthread_mutex_lock(&cucc.lock);
  r->given = true;
  l->stuck = false;
  if (r->asked) {
    asked--;
    if (--cucc.waiters == 0) clock_free(&cucc.wanted);
  }
  pthread_mutex_unlock(&cucc.lock);
  return true;
}

static bool get(struct work *work) {
  struct remote *r = remote_of(work), **place;
  if (!r) return false;
  place = &r->link->remotes;
  struct party *p = r->party;
  const bool good = party_writes(work, p);
  const char *at = r->result;
  for (int i = 0; i < p->count && good; i++) {
    const size_t bytes = nccl_received(&p->task[i], p->rank, p->clique->ranks);
    if (bytes) memcpy(p->task[i].receive, at, bytes);
    at += bytes;
  }
  pthread_mutex_lock(&cucc.lock);
  while (*place != r) place = &(*place)->next;
  *place = r->next;
  r->link->stuck = false;
  pthread_mutex_unlock(&cucc.lock);
  free(r->result);
  free(p);
  free(r);
  return good;
}

static void announce(const struct remote *r) {
  const struct party *p = r->party;
  struct call *calls = needed(calloc((size_t)p->count, sizeof *calls));
  for (int i = 0; i < p->count; i++) {
    const struct task *t = &p->task[i];
    struct call *c = &calls[i];
    *c = (struct call){.kind = (int)t->kind,
                       .type = (int)t->type,
                       .op = (int)t->op,
                       .peer = t->peer,
                       .count = t->count,
                       .number = t->number};
    const struct place at = place_of(t->site);
    snprintf(c->name, sizeof c->name, "%s", t->call);
    const char *slash = strrchr(at.file, '/');
    if (at.line) snprintf(c->place, sizeof c->place, "%.150s:%d", slash ? slash + 1 : at.file, at.line);
  }
  tell(r->link, CALL, r->number, calls, (size_t)p->count * sizeof *calls);
  free(calls);
}

static struct remote *remote_new(struct party *p, uint64_t node) {
  struct link *l = p->task[0].comm->link;
  struct remote *r = needed(calloc(1, sizeof *r));
  *r = (struct remote){.party = p, .link = l, .number = ++l->parties, .node = node};
  return r;
}

static void start(struct remote *r) {
  struct remote **place = &r->link->remotes;
  while (*place) place = &(*place)->next;
  *place = r;
  r->link->stuck = false;
  announce(r);
}

static void give_launched(struct op *op) {
  struct remote_node *node = (struct remote_node *)op->work;
  struct party *p = nccl_party_of(&node->pattern);
  if (!p) return;
  struct remote *r = node->at.remote = remote_new(p, node->number);
  r->give = op;
  start(r);
}

/* The result may have come already: the lock is free while a full queue gets room. */
static void get_launched(struct op *op) {
  struct remote_node *node = (struct remote_node *)op->work;
  const struct ncclComm *comm = node->pattern.task[0].comm;
  struct remote *r = nccl_lives(comm) ? comm->link->remotes : NULL;
  while (r && (r->node != node->number || r->get)) r = r->next;
  node->at.remote = r;
  if (r) r->get = op;
  op->work->held = r && !r->result;
}

/* The two nodes of a graph. */
static cudaError_t rank_capture(struct party *p) {
  static uint64_t nodes;
  const struct task *t = &p->task[0];
  struct remote_node w = {.at.work = {.size = sizeof w, .call = t->call, .site = t->site, .run = give},
                          .number = ++nodes,
                          .pattern = *p};
  struct op *op;
  w.at.work.launched = give_launched;
  cudaError_t error = work_put(&w.at.work, t->stream, USE_LAUNCH, &op);
  w.at.work.run = get;
  w.at.work.launched = get_launched;
  w.at.work.held = true;
  if (!error) error = work_put(&w.at.work, t->stream, USE_LAUNCH, &op);
  free(p);
  return error;
}

cudaError_t rank_queue(struct party *p) {
  work_stalled = nccl_stalled;
  if (p->captured) return rank_capture(p);
  const struct task *t = &p->task[0];
  struct remote *r = remote_new(p, 0);
  struct remote_work w = {.work = {.size = sizeof w, .call = t->call, .site = t->site, .run = give},
                          .remote = r};
  cudaError_t error = work_put(&w.work, t->stream, USE_LAUNCH, &r->give);
  w.work.run = get;
  w.work.held = true;
  if (!error) error = work_put(&w.work, t->stream, USE_LAUNCH, &r->get);
  if (error) {
    free(p);
    free(r);
    return error;
  }
  start(r);
  return cudaSuccess;
}

/* ---------------------------------------------------------------------------------------------- waiting */

bool ranks_only_asked(void) { return asked && cucc.waiters == asked; }

void ranks_stalled(bool others) {
  int waiting = 0;
  bool threads = false;
  for (struct link *l = links; l; l = l->next) {
    if (l->left || l->lost) continue;
    waiting += l->remotes != NULL;
    threads |= l->clique->threads;
  }
  if (threads && now_ms() - cucc.last_call_ms < PATIENCE_MS) return;
  for (struct link *l = links; l; l = l->next) {
    if (l->left || l->lost || l->stuck) continue;
    const struct stuck s = {l->heard, others || waiting != 1 || !l->remotes};
    l->stuck = true;
    tell(l, STUCK, 0, &s, sizeof s);
  }
}

/* ---------------------------------------------------------------------------------------- the reader */

static struct remote *find(struct link *l, uint32_t number) {
  struct remote *r = l->remotes;
  while (r && r->number != number) r = r->next;
  return r;
}

/* Nothing more comes of the party, and so of the device. */
static void condemn(struct link *l, const struct remote *r, const char *text, const char *cause) {
  if (cucc.sticky) return;
  if (!strcmp(cucc_kind(), "fast")) fprintf(stderr, "cucc: NCCL: %s\n", text);
  work_finding(TOOL_SYNC, text, r->party->task[0].site, 0, NULL, cause);
  cucc_fault(cudaErrorLaunchTimeout, l->device, NULL);
  pthread_cond_signal(&cucc.work);
}

/* The first letter of a verdict says which of these follows it. */
static const char *cause_of(char letter) {
  if (letter == 'd') return nccl_alike;
  if (letter == 'w')
    return "every rank must make the same calls in the same order; sends and receives that cross go between "
           "ncclGroupStart and ncclGroupEnd";
  return "every rank must make the same calls, also one that ends early or after an error of its own";
}

/* With cucc.lock held. Takes the body of a result. */
static void take(struct link *l, const struct header *h, char **body) {
  struct remote *r = find(l, h->party);
  l->heard++;
  l->stuck = false;
  if (h->message == WELCOME) {
    l->welcome = true;
    pthread_cond_broadcast(&changed);
  } else if (h->message == REFUSED && h->bytes == sizeof l->refusal) {
    memcpy(&l->refusal, *body, sizeof l->refusal);
    l->refused = true;
    pthread_cond_broadcast(&changed);
  } else if (h->message == NOTE) {
    snprintf(l->maker_call, sizeof l->maker_call, "%s", *body);
  } else if (h->message == WANTED && r && !r->given && !r->asked) {
    struct clock target = {0};
    clock_join(&target, &r->give->clock);
    clock_set(&target, r->give->stream->slot, r->give->seq);
    clock_join(&cucc.wanted, &target);
    clock_free(&target);
    r->asked = true;
    asked++;
    cucc.waiters++;
  } else if (h->message == RESULT && r) {
    r->result = *body;
    *body = NULL;
    if (r->get) r->get->work->held = false;
  } else if (h->message == VERDICT && r && h->bytes > 1)
    condemn(l, r, *body + 1, cause_of(**body));
  pthread_cond_signal(&cucc.work);
}

/* Says from time to time that this process does something, if it does. */
static void wait_for_message(struct link *l) {
  double cpu = clock_ms(CLOCK_PROCESS_CPUTIME_ID), call = cucc.last_call_ms;
  struct pollfd p = {.fd = l->fd, .events = POLLIN};
  while (poll(&p, 1, ALIVE_MS) == 0) {
    const double cpu_now = clock_ms(CLOCK_PROCESS_CPUTIME_ID), call_now = cucc.last_call_ms;
    if (cpu_now - cpu > ALIVE_CPU_MS || call_now > call) tell(l, ALIVE, 0, NULL, 0);
    cpu = cpu_now;
    call = call_now;
  }
}

static void *reader(void *argument) {
  struct link *l = argument;
  struct header h;
  for (;;) {
    wait_for_message(l);
    if (!socket_receive(l->fd, &h, sizeof h)) break;
    char *body = needed(malloc(h.bytes + 1));
    const bool whole = socket_receive(l->fd, body, h.bytes);
    body[h.bytes] = 0;
    if (whole) {
      pthread_mutex_lock(&cucc.lock);
      take(l, &h, &body);
      pthread_mutex_unlock(&cucc.lock);
    }
    free(body);
    if (!whole) break;
  }
  pthread_mutex_lock(&cucc.lock);
  l->lost = !l->left;
  if (l->lost && l->welcome && l->remotes) {
    const struct task *t = &l->remotes->party->task[0];
    char text[NCCL_WORDS_MAX];
    snprintf(text, sizeof text,
             "%s of rank %d waits for ever: process %d on node %s, where all ranks meet, as it made the "
             "ncclUniqueId, has ended; %s",
             t->call, l->rank, l->maker.pid, l->maker.node,
             *l->maker_call ? l->maker_call : "it made no call of a communicator");
    condemn(l, l->remotes, text, cause_of('g'));
  }
  pthread_cond_broadcast(&changed);
  pthread_mutex_lock(&l->sending);
  close(l->fd);
  l->fd = -1;
  pthread_mutex_unlock(&l->sending);
  pthread_mutex_unlock(&cucc.lock);
  return NULL;
}
