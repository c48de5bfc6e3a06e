/* Communicators: how ranks come together, in one process or in several. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "nccl_message.h"
#include "engine/stream.h"

#define MAGIC       0x2cc1u
#define NAME        "cuccNCCL"
#define PATIENCE_MS 5000.0

/* An id that this process made. */
struct made {
  uint64_t id, secret;
  bool remote;   /* a rank of another process has come */
  int ranks;     /* as the last rank of this process that came said */
  uint64_t came; /* bit r: rank r has come */
  double last_ms;
  struct made *next;
};

/* What a thread has begun with ncclCommInitRank, in a group until its end. */
struct begun {
  ncclComm_t *user, comm;
  struct made *made; /* NULL: by another process */
  uint32_t port;
  uintptr_t site;
};

static struct clique *cliques;
static struct made *all_made;
static pthread_cond_t joins = PTHREAD_COND_INITIALIZER; /* a rank joined, or a clique failed */
static __thread struct begun begun[RANKS_MAX];
static __thread int begun_count;

bool nccl_is_comm(const struct ncclComm *comm) { return comm && comm->magic == MAGIC; }

bool nccl_lives(const struct ncclComm *comm) {
  for (const struct clique *c = cliques; c; c = c->next)
    for (int i = 0; i < c->ranks; i++)
      if (c->comm[i] == comm) return true;
  return false;
}

void nccl_note_thread(struct clique *c) { c->threads |= !pthread_equal(c->thread, pthread_self()); }

static ncclResult_t report(ncclResult_t result, const char *why) {
  fprintf(stderr, "cucc: NCCL: %s\n", why);
  return nccl_fail(result, why);
}

/* ---------------------------------------------------------------------------------------------- the id */

static uint64_t random_number(void) {
  uint64_t n = 0;
  if (getrandom(&n, sizeof n, GRND_NONBLOCK) != sizeof n || !n)
    n = (uint64_t)(clock_ms(CLOCK_REALTIME) * 1e6) * 2654435761u + (uint64_t)getpid() + (uintptr_t)&n;
  return n ? n : 1;
}

/* Comes before the runtime's own end, which may be abrupt: registered after that. */
static void end(int status, void *maker) {
  static bool done;
  if (done || (pid_t)(intptr_t)maker != getpid()) return;
  done = true;
  ranks_end();
  hub_end(status);
}

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id) return nccl_fail(ncclInvalidArgument, "ncclGetUniqueId: id is NULL");
  struct unique u = {.name = NAME, .version = NCCL_PROTOCOL, .id = random_number(), .pid = getpid()};
  struct made *made = needed(calloc(1, sizeof *made));
  u.secret = random_number();
  u.port = (uint32_t)hub_start();
  socket_addresses(u.address);
  snprintf(u.node, sizeof u.node, "%s", node_name());
  memset(id, 0, sizeof *id);
  memcpy(id->internal, &u, sizeof u);
  on_exit(end, (void *)(intptr_t)getpid());
  pthread_mutex_lock(&cucc.lock);
  *made = (struct made){.id = u.id, .secret = u.secret, .next = all_made};
  all_made = made;
  pthread_mutex_unlock(&cucc.lock);
  return ncclSuccess;
}

/* With cucc.lock held. */
static struct made *made_of(const struct unique *u) {
  struct made *m = u->pid == getpid() ? all_made : NULL;
  while (m && (m->id != u->id || m->secret != u->secret)) m = m->next;
  return m;
}

static struct clique *clique_find(uint64_t id) {
  struct clique *c = cliques;
  while (c && c->id != id) c = c->next;
  return c;
}

enum nccl_arrival nccl_arrives(uint64_t id, uint64_t secret) {
  struct made *m = all_made;
  while (m && (m->id != id || m->secret != secret)) m = m->next;
  if (!m) return ARRIVAL_UNKNOWN;
  const struct clique *c = clique_find(id);
  if (c && !m->remote && c->joined == c->ranks) return ARRIVAL_COMPLETE;
  m->remote = true;
  pthread_cond_broadcast(&joins);
  return ARRIVAL_GOOD;
}

/* ---------------------------------------------------------------------------------------------- joining */

/* With cucc.lock held. */
static struct clique *clique_of(uint64_t id, int ranks) {
  struct clique *c = clique_find(id);
  if (c) return c;
  c = needed(calloc(1, sizeof *c));
  *c = (struct clique){.id = id, .ranks = ranks, .thread = pthread_self(), .next = cliques};
  return cliques = c;
}

/* With cucc.lock held. The last rank of this process takes the clique along. */
static void drop(struct ncclComm *comm) {
  struct clique *c = comm->clique, **link = &cliques;
  bool last = true;
  c->comm[comm->rank] = NULL;
  for (int i = 0; i < c->ranks; i++) last = last && !c->comm[i];
  if (last) {
    while (*link != c) link = &(*link)->next;
    *link = c->next;
    free(c);
  }
  comm->magic = 0;
  comm->loaded->gone = true;
  free(comm);
}

/* A finding, since the program may return another error: ranks i and j have the same device. */
static const char *say_duplicate(int i, int j, int device, uintptr_t site) {
  char text[NCCL_WORDS_MAX];
  snprintf(text, sizeof text, "ranks %d and %d of a communicator both take device %d", i < j ? i : j,
           i < j ? j : i, device);
  work_finding(TOOL_SYNC, text, site, 0, NULL,
               "each rank takes a device of its own: the one that it is given, which is the current one");
  return "Duplicate GPU detected: two ranks have the same device";
}

static ncclResult_t join_clique(const char *call, ncclComm_t *comm, int ranks, uint64_t id, int rank,
                                int device, uintptr_t site) {
  const char *why = NULL;
  pthread_mutex_lock(&cucc.lock);
  struct clique *c = clique_of(id, ranks);
  if (c->failed)
    why = c->failed;
  else if (c->ranks != ranks || c->comm[rank])
    why = "this rank is taken, or the ranks do not agree on their number";
  for (int i = 0; !why && i < ranks; i++)
    if (c->comm[i] && c->comm[i]->device == device) why = say_duplicate(i, rank, device, site);
  if (!why) {
    *comm = needed(calloc(1, sizeof **comm));
    **comm = (struct ncclComm){.magic = MAGIC, .clique = c, .rank = rank, .device = device};
    c->comm[rank] = *comm;
    c->joined++;
    nccl_note_thread(c);
  } else if (c->joined < c->ranks)
    c->failed = why;
  pthread_cond_broadcast(&joins);
  pthread_mutex_unlock(&cucc.lock);
  if (why) return report(ncclInvalidUsage, why);
  (*comm)->loaded = loaded_add("a communicator", call,
                               "a missing ncclCommDestroy, often on the way out after an error", site);
  return ncclSuccess;
}

/* The ranks that have not come, as " 1 3"; returns how many. */
static int missing(const struct clique *c, char *text, size_t size) {
  int n = 0;
  for (int i = 0; i < c->ranks && n < (int)size - 8; i++)
    if (!c->comm[i]) n += snprintf(text + n, size - (size_t)n, " %d", i);
  return c->ranks - c->joined;
}

/* Notes that a rank came with this id. With cucc.lock held. */
static void note_arrival(struct made *made, int ranks, int rank) {
  if (!made) return;
  made->came |= (uint64_t)1 << rank;
  made->ranks = ranks;
  made->last_ms = now_ms();
}

/* Whether all ranks that the clique misses have come with another id, which is not complete either. */
static bool have_another_id(const struct begun *b, double since) {
  const int ranks = b->comm->clique->ranks;
  const uint64_t all = ranks < 64 ? ((uint64_t)1 << ranks) - 1 : UINT64_MAX;
  uint64_t came = b->made->came;
  for (const struct made *m = all_made; m; m = m->next)
    if (m->ranks == ranks && m->came != all && m->last_ms > since - PATIENCE_MS) came |= m->came;
  return came == all;
}

/* Nobody else can come: without sockets only threads of this process can, and it does nothing. */
static bool forsaken(const struct begun *b, double since) {
  const double active = since > cucc.last_call_ms ? since : cucc.last_call_ms;
  return !b->port && now_ms() - active > PATIENCE_MS;
}

/* Waits until all ranks have come from this process, or one from another. */
static ncclResult_t settle(const struct begun *b) {
  struct clique *c = b->comm->clique;
  const double limit = nccl_limit_ms(), since = now_ms();
  static __thread char why[NCCL_WORDS_MAX];
  char ranks[256] = "";
  pthread_mutex_lock(&cucc.lock);
  while (!c->failed && !b->made->remote && c->joined < c->ranks && now_ms() - since < limit &&
         !forsaken(b, since)) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += 100000000;
    if (t.tv_nsec >= 1000000000) t.tv_sec++, t.tv_nsec -= 1000000000;
    pthread_cond_timedwait(&joins, &cucc.lock, &t);
  }
  const bool remote = b->made->remote;
  const char *failed = c->failed;
  const int absent = remote || c->joined == c->ranks ? 0 : missing(c, ranks, sizeof ranks);
  if (absent && !b->port && !failed) {
    const bool other = have_another_id(b, since);
    snprintf(why, sizeof why,
             "ncclCommInitRank of rank %d waits for rank%s (of %d), which %s: on a GPU it would hang",
             b->comm->rank, ranks, c->ranks, other ? "calls it with another id" : "never calls it");
    work_finding(TOOL_SYNC, why, b->site, 0, NULL,
                 other ? "one call of ncclGetUniqueId makes the id, and every rank gets that"
                       : "every rank must call; a thread that has several ranks calls for each, between "
                         "ncclGroupStart and ncclGroupEnd");
  }
  pthread_mutex_unlock(&cucc.lock);
  if (failed) return nccl_fail(ncclInvalidUsage, failed);
  if (remote) return rank_greet(b->comm);
  if (!absent) return ncclSuccess;
  if (!b->port) return nccl_fail(ncclRemoteError, why);
  snprintf(why, sizeof why, "%d of %d ranks did not come within %g s (CUCC_NCCL_WAIT): rank%s", absent,
           c->ranks, limit / 1e3, ranks);
  return report(ncclRemoteError, why);
}

ncclResult_t nccl_finish_joining(void) {
  ncclResult_t result = ncclSuccess, one[RANKS_MAX];
  const int count = begun_count;
  begun_count = 0;
  for (int i = 0; i < count; i++) one[i] = begun[i].made ? settle(&begun[i]) : rank_greet(begun[i].comm);
  for (int i = 0; i < count; i++) {
    if (!one[i] && begun[i].comm->link) one[i] = rank_await(begun[i].comm);
    if (!one[i]) continue;
    result = one[i];
    *begun[i].user = NULL;
    rank_leave(begun[i].comm);
    pthread_mutex_lock(&cucc.lock);
    drop(begun[i].comm);
    pthread_mutex_unlock(&cucc.lock);
  }
  return result;
}

static const char *wrong_id(const struct unique *u) {
  if (memcmp(u->name, NAME, sizeof u->name)) return "the ncclUniqueId is not one of ncclGetUniqueId";
  if (u->version != NCCL_PROTOCOL) return "the ncclUniqueId was made by another version of the CPU backend";
  return NULL;
}

/* Waits for the other ranks, as on a GPU; in a group at its end. */
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  struct unique u;
  memcpy(&u, id.internal, sizeof u);
  if (cucc_enter("ncclCommInitRank"))
    return nccl_fail(ncclUnhandledCudaError, "the device is in an error state");
  on_exit(end, (void *)(intptr_t)getpid());
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
    return nccl_fail(ncclInvalidArgument, "ncclCommInitRank: rank must be from 0 to the number of ranks - 1");
  if (ranks > RANKS_MAX)
    return report(ncclInvalidUsage, "the CPU backend has no more than 64 ranks in a communicator");
  const char *why = wrong_id(&u);
  if (why) return report(ncclInvalidArgument, why);
  pthread_mutex_lock(&cucc.lock);
  struct made *made = made_of(&u);
  pthread_mutex_unlock(&cucc.lock);
  if (made && !u.port && ranks > options()->devices)
    return report(ncclInvalidUsage, "more ranks than devices (CUCC_DEVICES says how many there are)");
  if (begun_count == RANKS_MAX) return nccl_fail(ncclInternalError, "too many communicators in a group");
  const ncclResult_t result = join_clique(__func__, comm, ranks, u.id, rank, device_current(), CALLER);
  if (result) return result;
  pthread_mutex_lock(&cucc.lock);
  note_arrival(made, ranks, rank);
  pthread_mutex_unlock(&cucc.lock);
  (*comm)->unique = id;
  begun[begun_count++] = (struct begun){comm, *comm, made, u.port, CALLER};
  return nccl_depth ? ncclSuccess : nccl_finish_joining();
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int devices, const int *list) {
  if (cucc_enter("ncclCommInitAll"))
    return nccl_fail(ncclUnhandledCudaError, "the device is in an error state");
  if (!comms || devices < 1) return nccl_fail(ncclInvalidArgument, "ncclCommInitAll: no devices");
  if (devices > options()->devices)
    return nccl_fail(ncclInvalidUsage, "more ranks than devices (CUCC_DEVICES says how many there are)");
  const uint64_t id = random_number();
  ncclResult_t result = ncclSuccess;
  for (int rank = 0; rank < devices && !result; rank++) {
    const int device = list ? list[rank] : rank;
    if (device < 0 || device >= options()->devices)
      return nccl_fail(ncclUnhandledCudaError,
                       "ncclCommInitAll: no such device (CUCC_DEVICES says how many there are)");
    result = join_clique(__func__, &comms[rank], devices, id, rank, device, CALLER);
  }
  return result;
}

/* ---------------------------------------------------------------------------------------------- others */

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return nccl_is_comm(comm) ? ncclSuccess : nccl_fail(ncclInvalidArgument, "no communicator");
}

/* Waits for the device, as its work may still speak of the communicator. */
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!nccl_is_comm(comm)) return nccl_fail(ncclInvalidArgument, "no communicator");
  const int current = device_current();
  cudaSetDevice(comm->device);
  device_wait("wait of ncclCommDestroy");
  cudaSetDevice(current);
  rank_leave(comm);
  pthread_mutex_lock(&cucc.lock);
  drop(comm);
  pthread_mutex_unlock(&cucc.lock);
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  if (!nccl_is_comm(comm) || !error) return nccl_fail(ncclInvalidArgument, "no communicator");
  *error = rank_lost(comm) ? ncclRemoteError : cucc.sticky ? ncclUnhandledCudaError : ncclSuccess;
  return ncclSuccess;
}

#define TELLS(NAME, WHAT)                                                                                    \
  ncclResult_t ncclComm##NAME(const ncclComm_t comm, int *value) {                                           \
    if (!nccl_is_comm(comm) || !value) return nccl_fail(ncclInvalidArgument, "no communicator");             \
    *value = comm->WHAT;                                                                                     \
    return ncclSuccess;                                                                                      \
  }
TELLS(Count, clique->ranks)
TELLS(CuDevice, device)
TELLS(UserRank, rank)
