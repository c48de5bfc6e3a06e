/*
 * NCCL among virtual devices: what its files share.
 *
 *   nccl.c         communicators, groups, the calls
 *   nccl_meet.c    whose work waits for whose: parties, and when one may run
 *   nccl_reduce.c  what is done to the numbers
 *
 * A group's calls of one rank and stream are one piece of work (struct party). It is held until all ranks
 * that any of its tasks needs have queued theirs. Then all of them get the clocks of all, so that none runs
 * before everything that lies before any of them; the first to run does the work of all.
 */
#ifndef CUCC_NCCL_INNER_H
#define CUCC_NCCL_INNER_H

#include "nccl.h"
#include "base/needed.h"
#include "base/time.h"
#include "state/device.h"
#include "state/state.h"
#include "memory/arena.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/work.h"

#define RANKS_MAX DEVICES_MAX
#define TASKS_MAX 64 /* of one rank in a group */

/* All ranks that meet under one ncclUniqueId. */
struct clique {
  uint64_t id;
  int ranks, joined; /* how many there are, how many ever had a communicator */
  struct ncclComm *comm[RANKS_MAX];
  pthread_t thread; /* that made the first rank */
  bool threads;     /* several threads have part in it: one may come later than others wait */
  struct clique *next;
};

struct ncclComm {
  uint32_t magic;
  struct clique *clique;
  int rank, device;
  /* how many calls of each kind there were: the n-th of one rank meets the n-th of another */
  uint64_t collectives, sends[RANKS_MAX], receives[RANKS_MAX];
};

enum task_kind { ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, SEND, RECEIVE };

struct task {
  enum task_kind kind;
  const char *call;
  uintptr_t site;
  struct ncclComm *comm;
  cudaStream_t stream;
  const void *send;
  void *receive;
  size_t count;
  ncclDataType_t type;
  ncclRedOp_t op;
  int peer; /* or root */
  uint64_t number;
};

/* The tasks of one rank in one stream that proceed together. */
struct party {
  struct op *op;
  struct clique *clique;
  int rank, count;
  struct task task[TASKS_MAX];
  bool ready, marked;     /* all that it waits for are there; seen by a walk */
  struct party *together; /* a ring of those that run as one, once ready */
  bool done, good;
  struct party *next;
};

/* nccl_meet.c. Queues a party (malloc'ed, now its own); with cucc.lock held. */
cudaError_t party_queue(struct party *party);

/* nccl_reduce.c */
size_t nccl_size(ncclDataType_t type);
/* False for types that can only be moved. */
bool nccl_reducible(ncclDataType_t type);
/* into[i] = into[i] op from[i] */
void nccl_combine(void *into, const void *from, size_t count, ncclDataType_t type, ncclRedOp_t op);
/* ncclAvg: what a sum becomes at last. */
void nccl_divide(void *numbers, size_t count, ncclDataType_t type, int by);

#endif
