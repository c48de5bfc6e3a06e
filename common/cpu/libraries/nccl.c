/* NCCL: communicators, groups and the calls. What they do is in nccl_meet.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_inner.h"

#define MAGIC 0x2cc1u

static struct clique *cliques;
static uint64_t ids;
static __thread const char *last_error = "no error";

static ncclResult_t fail(ncclResult_t result, const char *why) {
  last_error = why;
  return result;
}

static ncclResult_t result_of(cudaError_t error) {
  return error ? fail(ncclUnhandledCudaError, cudaGetErrorString(error)) : ncclSuccess;
}

ncclResult_t ncclGetVersion(int *version) {
  if (!version) return fail(ncclInvalidArgument, "ncclGetVersion: version is NULL");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char *ncclGetErrorString(ncclResult_t result) {
  static const char *const texts[] = {"no error",
                                      "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
                                      "unhandled system error (run with NCCL_DEBUG=INFO for details)",
                                      "internal error - please report this issue to the NCCL developers",
                                      "invalid argument (run with NCCL_DEBUG=WARN for details)",
                                      "invalid usage (run with NCCL_DEBUG=WARN for details)",
                                      "remote process exited or there was a network error",
                                      "NCCL operation in progress"};
  return (unsigned)result < ncclNumResults ? texts[result] : "unknown result code";
}

const char *ncclGetLastError(ncclComm_t comm) {
  (void)comm;
  return last_error;
}

/* ------------------------------------------------------------------------------------------ communicators */

static bool is_comm(const struct ncclComm *comm) { return comm && comm->magic == MAGIC; }

ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (!id) return fail(ncclInvalidArgument, "ncclGetUniqueId: id is NULL");
  memset(id, 0, sizeof *id);
  pthread_mutex_lock(&cucc.lock);
  ids++;
  memcpy(id->internal, &ids, sizeof ids);
  pthread_mutex_unlock(&cucc.lock);
  return ncclSuccess;
}

/* With cucc.lock held. */
static struct clique *clique_of(uint64_t id, int ranks) {
  struct clique *c = cliques;
  while (c && c->id != id) c = c->next;
  if (c) return c->ranks == ranks ? c : NULL;
  if (!(c = calloc(1, sizeof *c))) return NULL;
  *c = (struct clique){.id = id, .ranks = ranks, .thread = pthread_self(), .next = cliques};
  return cliques = c;
}

static void note_thread(struct clique *c) { c->threads |= !pthread_equal(c->thread, pthread_self()); }

static ncclResult_t join_clique(ncclComm_t *comm, int ranks, uint64_t id, int rank, int device) {
  if (!comm || ranks < 1 || rank < 0 || rank >= ranks)
    return fail(ncclInvalidArgument, "ncclCommInitRank: rank must be from 0 to the number of ranks - 1");
  if (ranks > options()->devices)
    return fail(ncclInvalidUsage, "more ranks than devices (CUCC_DEVICES says how many there are)");
  if (id == 0 || id > ids) return fail(ncclInvalidArgument, "the ncclUniqueId is not one of ncclGetUniqueId");
  ncclResult_t result = ncclSuccess;
  pthread_mutex_lock(&cucc.lock);
  struct clique *c = clique_of(id, ranks);
  if (!c || c->comm[rank])
    result = fail(ncclInvalidUsage, "this rank is taken, or the ranks do not agree on their number");
  for (int i = 0; !result && i < ranks; i++)
    if (c->comm[i] && c->comm[i]->device == device)
      result = fail(ncclInvalidUsage, "Duplicate GPU detected: two ranks have the same device");
  if (!result && (*comm = calloc(1, sizeof **comm))) {
    **comm = (struct ncclComm){.magic = MAGIC, .clique = c, .rank = rank, .device = device};
    c->comm[rank] = *comm;
    c->joined++;
    note_thread(c);
  }
  pthread_mutex_unlock(&cucc.lock);
  return result;
}

/* Does not wait for the other ranks: a missing rank is reported when its work is waited for. */
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank) {
  uint64_t number;
  memcpy(&number, id.internal, sizeof number);
  if (cucc_enter("ncclCommInitRank")) return fail(ncclUnhandledCudaError, "the device is in an error state");
  return join_clique(comm, ranks, number, rank, device_current());
}

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int devices, const int *list) {
  ncclUniqueId id;
  uint64_t number;
  ncclResult_t result = ncclGetUniqueId(&id);
  if (cucc_enter("ncclCommInitAll")) return fail(ncclUnhandledCudaError, "the device is in an error state");
  if (!comms || devices < 1) return fail(ncclInvalidArgument, "ncclCommInitAll: no devices");
  memcpy(&number, id.internal, sizeof number);
  for (int rank = 0; rank < devices && !result; rank++) {
    const int device = list ? list[rank] : rank;
    if (device < 0 || device >= options()->devices)
      return fail(ncclUnhandledCudaError,
                  "ncclCommInitAll: no such device (CUCC_DEVICES says how many there are)");
    result = join_clique(&comms[rank], devices, number, rank, device);
  }
  return result;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  return is_comm(comm) ? ncclSuccess : fail(ncclInvalidArgument, "no communicator");
}

/* Waits for the device, as its work may still speak of the communicator. The last rank takes the clique
 * along. */
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (!is_comm(comm)) return fail(ncclInvalidArgument, "no communicator");
  cudaDeviceSynchronize();
  pthread_mutex_lock(&cucc.lock);
  struct clique *c = comm->clique, **link = &cliques;
  bool last = true;
  c->comm[comm->rank] = NULL;
  for (int i = 0; i < c->ranks; i++) last = last && !c->comm[i];
  if (last) {
    while (*link != c) link = &(*link)->next;
    *link = c->next;
    free(c);
  }
  pthread_mutex_unlock(&cucc.lock);
  comm->magic = 0;
  free(comm);
  return ncclSuccess;
}

ncclResult_t ncclCommAbort(ncclComm_t comm) { return ncclCommDestroy(comm); }

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t *error) {
  if (!is_comm(comm) || !error) return fail(ncclInvalidArgument, "no communicator");
  *error = cucc.sticky ? ncclUnhandledCudaError : ncclSuccess;
  return ncclSuccess;
}

#define TELLS(NAME, WHAT)                                                                                    \
  ncclResult_t ncclComm##NAME(const ncclComm_t comm, int *value) {                                           \
    if (!is_comm(comm) || !value) return fail(ncclInvalidArgument, "no communicator");                       \
    *value = comm->WHAT;                                                                                     \
    return ncclSuccess;                                                                                      \
  }
TELLS(Count, clique->ranks)
TELLS(CuDevice, device)
TELLS(UserRank, rank)

/* ---------------------------------------------------------------------------------------------- groups */

static __thread int depth;
static __thread struct party *collected[RANKS_MAX]; /* of this thread's group, by communicator and stream */
static __thread int collected_count;
static __thread ncclResult_t group_result;

/* In the communicator's device, whatever the current one is. */
static ncclResult_t queue(struct party *p) {
  const int current = device_current();
  cudaError_t error = cucc_enter(p->task[0].call);
  if (error) return result_of(error);
  cudaSetDevice(p->task[0].comm->device);
  pthread_mutex_lock(&cucc.lock);
  note_thread(p->clique);
  error = party_queue(p);
  pthread_mutex_unlock(&cucc.lock);
  cudaSetDevice(current);
  return result_of(error);
}

ncclResult_t ncclGroupStart(void) {
  if (depth++ == 0) {
    collected_count = 0;
    group_result = ncclSuccess;
  }
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
  if (depth == 0) return fail(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--depth > 0) return ncclSuccess;
  ncclResult_t result = group_result;
  for (int i = 0; i < collected_count; i++) {
    if (result)
      free(collected[i]);
    else
      result = queue(collected[i]);
  }
  return result;
}

/* The party of this group that the task belongs to, perhaps a new one. */
static struct party *party_for(const struct task *t) {
  for (int i = 0; i < collected_count; i++)
    if (collected[i]->task[0].comm == t->comm && collected[i]->task[0].stream == t->stream)
      return collected[i];
  if (collected_count == RANKS_MAX) return NULL;
  struct party *p = needed(calloc(1, sizeof *p));
  p->clique = t->comm->clique;
  p->rank = t->comm->rank;
  return collected[collected_count++] = p;
}

static ncclResult_t refuse(ncclResult_t result, const char *why) {
  if (depth > 1 && !group_result) group_result = result;
  return fail(result, why);
}

/* A buffer of another device, which this one may not touch: a finding. */
static bool foreign(const struct task *t, const void *buffer) {
  const int device = buffer ? memory_device_of((uintptr_t)buffer) : -1, mine = t->comm->device;
  if (device < 0 || device == mine || device_peer_allowed(mine, device)) return false;
  char text[160];
  snprintf(text, sizeof text, "%s of rank %d, on device %d, is given memory of device %d", t->call,
           t->comm->rank, mine, device);
  work_finding(TOOL_MEM, text, t->site, 0, buffer,
               "cudaSetDevice forgotten before the allocation, or another rank's pointer");
  return true;
}

/* Every call: checked, numbered, and put into the group, which may be of this call alone. */
static ncclResult_t add(struct task t) {
  ncclGroupStart();
  const struct ncclComm *c = t.comm;
  const bool reduces = t.kind == ALL_REDUCE || t.kind == REDUCE || t.kind == REDUCE_SCATTER;
  ncclResult_t result = ncclSuccess;
  struct party *p;
  if (!is_comm(c))
    result = refuse(ncclInvalidArgument, "no communicator");
  else if (!nccl_size(t.type) || (reduces && ((unsigned)t.op >= ncclNumOps || !nccl_reducible(t.type))))
    result = refuse(ncclInvalidArgument,
                    "no such type or operation, or a type that the CPU backend does not reduce");
  else if (t.peer < 0 || t.peer >= c->clique->ranks)
    result = refuse(ncclInvalidArgument, "no such rank");
  else if (foreign(&t, t.send) || foreign(&t, t.receive))
    result = refuse(ncclInvalidArgument, "a buffer of another device");
  else if (t.count == 0)
    ;
  else if (!(p = party_for(&t)) || p->count == TASKS_MAX)
    result = refuse(ncclInternalError, "more calls in a group than the CPU backend has room for");
  else {
    t.number = t.kind == SEND      ? t.comm->sends[t.peer]++
               : t.kind == RECEIVE ? t.comm->receives[t.peer]++
                                   : t.comm->collectives++;
    p->task[p->count++] = t;
  }
  const ncclResult_t ended = ncclGroupEnd();
  return result ? result : ended;
}

/* ---------------------------------------------------------------------------------------------- the calls */

#define TASK(KIND, NAME)                                                                                     \
  .kind = KIND, .call = NAME, .site = CALLER, .comm = comm, .stream = stream, .type = type

ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream) {
  return add((struct task){TASK(ALL_REDUCE, "ncclAllReduce"), .send = send, .receive = receive,
                           .count = count, .op = op});
}

ncclResult_t ncclReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  return add((struct task){TASK(REDUCE, "ncclReduce"), .send = send, .receive = receive, .count = count,
                           .op = op, .peer = root});
}

ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream) {
  return add((struct task){TASK(BROADCAST, "ncclBroadcast"), .send = send, .receive = receive, .count = count,
                           .peer = root});
}

ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return add((struct task){TASK(BROADCAST, "ncclBcast"), .send = buffer, .receive = buffer, .count = count,
                           .peer = root});
}

ncclResult_t ncclAllGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return add(
      (struct task){TASK(ALL_GATHER, "ncclAllGather"), .send = send, .receive = receive, .count = count});
}

ncclResult_t ncclReduceScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return add((struct task){TASK(REDUCE_SCATTER, "ncclReduceScatter"), .send = send, .receive = receive,
                           .count = count, .op = op});
}

ncclResult_t ncclSend(const void *send, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add((struct task){TASK(SEND, "ncclSend"), .send = send, .count = count, .peer = peer});
}

ncclResult_t ncclRecv(void *receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add((struct task){TASK(RECEIVE, "ncclRecv"), .receive = receive, .count = count, .peer = peer});
}
