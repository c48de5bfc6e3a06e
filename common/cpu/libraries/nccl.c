/* NCCL: groups and the calls. What they do is in nccl_match.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "nccl_inner.h"
#include "state/failed.h"
#include "engine/injected.h"
#include "engine/stream.h"

static __thread const char *last_error = "no error";

ncclResult_t nccl_fail_in(const char *function, ncclResult_t result, const char *why) {
  last_error = why;
  if (!strncmp(function, "nccl", 4) && function[4] != '_') failed_enter(function);
  failed_because(why, NULL);
  failed_note(result == ncclInvalidArgument || result == ncclInvalidUsage ? cudaErrorInvalidValue
                                                                          : cudaErrorUnknown);
  return result;
}

/* The call of CUDA that failed is known already. */
static ncclResult_t result_of(cudaError_t error) {
  if (error) last_error = cudaGetErrorString(error);
  return error ? ncclUnhandledCudaError : ncclSuccess;
}

ncclResult_t ncclGetVersion(int *version) {
  if (!version) return nccl_fail(ncclInvalidArgument, "ncclGetVersion: version is NULL");
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

/* ---------------------------------------------------------------------------------------------- groups */

__thread int nccl_depth;
static __thread struct party *collected[RANKS_MAX]; /* of this thread's group, by communicator and stream */
static __thread int collected_count;
static __thread ncclResult_t group_result;

/* In the communicator's device, whatever the current one is. Takes the party over. */
static ncclResult_t queue(struct party *p) {
  const int current = device_current();
  cudaError_t error = cucc_enter(p->task[0].call);
  if (error) free(p);
  if (error) return result_of(error);
  cudaSetDevice(p->task[0].comm->device);
  pthread_mutex_lock(&cucc.lock);
  nccl_note_thread(p->clique);
  error = p->task[0].comm->link ? rank_queue(p) : party_queue(p);
  pthread_mutex_unlock(&cucc.lock);
  cudaSetDevice(current);
  return result_of(error);
}

ncclResult_t ncclGroupStart(void) {
  if (nccl_depth++ == 0) {
    collected_count = 0;
    group_result = ncclSuccess;
  }
  return ncclSuccess;
}

ncclResult_t ncclGroupEnd(void) {
  if (nccl_depth == 0) return nccl_fail(ncclInvalidUsage, "ncclGroupEnd without ncclGroupStart");
  if (--nccl_depth > 0) return ncclSuccess;
  ncclResult_t result = nccl_finish_joining();
  if (!result) result = group_result;
  for (int i = 0; i < collected_count; i++) {
    if (result)
      free(collected[i]);
    else
      result = queue(collected[i]);
  }
  if (!result && collected_count && injected_in_group())
    return nccl_fail(ncclInternalError, "a call of this group fails on purpose");
  return result;
}

static bool is_captured(cudaStream_t stream) {
  struct CUstream_st *s;
  pthread_mutex_lock(&cucc.lock);
  const bool captured = !stream_use("", stream, USE_LOOK, &s, 0) && s->capture;
  pthread_mutex_unlock(&cucc.lock);
  return captured;
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
  p->captured = is_captured(t->stream);
  return collected[collected_count++] = p;
}

static void number(struct task *t) {
  struct ncclComm *c = t->comm;
  t->number = t->kind == SEND      ? c->sends[t->peer]++
              : t->kind == RECEIVE ? c->receives[t->peer]++
                                   : c->collectives++;
}

struct party *nccl_party_of(const struct party *pattern) {
  const struct task *t = &pattern->task[0];
  if (!nccl_lives(t->comm)) {
    char text[160];
    snprintf(text, sizeof text, "a graph was launched whose %s has a communicator that was destroyed",
             t->call);
    work_finding(TOOL_MEM, text, t->site, 0, NULL, "destroy the graph first, then the communicator");
    return NULL;
  }
  struct party *p = memcpy(needed(malloc(sizeof *p)), pattern, sizeof *p);
  for (int i = 0; i < p->count; i++) number(&p->task[i]);
  return p;
}

static ncclResult_t refuse(ncclResult_t result, const char *why) {
  if (nccl_depth > 1 && !group_result) group_result = result;
  return nccl_fail(result, why);
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
  failed_enter(t.call);
  ncclGroupStart();
  const struct ncclComm *c = t.comm;
  const bool reduces = t.kind == ALL_REDUCE || t.kind == REDUCE || t.kind == REDUCE_SCATTER;
  ncclResult_t result = ncclSuccess;
  struct party *p;
  if (!nccl_is_comm(c))
    result = refuse(ncclInvalidArgument, "no communicator");
  else if (!nccl_size(t.type) || (reduces && ((unsigned)t.op >= ncclNumOps || !nccl_reducible(t.type))))
    result = refuse(ncclInvalidArgument,
                    "no such type or operation, or a type that the CPU backend does not reduce");
  else if (rank_lost(c))
    result = refuse(ncclRemoteError, "the process that made the ncclUniqueId has ended");
  else if (t.peer < 0 || t.peer >= c->clique->ranks)
    result = refuse(ncclInvalidArgument, "no such rank");
  else if (foreign(&t, t.send) || foreign(&t, t.receive))
    result = refuse(ncclInvalidArgument, "a buffer of another device");
  else if (t.count == 0)
    ;
  else if (!(p = party_for(&t)) || p->count == TASKS_MAX)
    result = refuse(ncclInternalError, "more calls in a group than the CPU backend has room for");
  else {
    if (!p->captured) number(&t);
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
