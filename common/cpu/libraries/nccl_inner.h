/*
 * NCCL among virtual devices: what its files share.
 *
 *   nccl.c           groups and the calls
 *   nccl_comm.c      communicators: ranks that meet under one id, in one process or in several
 *   nccl_match.c     whose call waits for whose, and what is done with their numbers
 *   nccl_meet.c      ranks of one process: when a rank's work may run
 *   nccl_rank.c      ranks of several processes: one rank's side
 *   nccl_hub.c       the other side: a thread of the process that made the id, where all ranks meet
 *   nccl_serve.c     the thread, and its connections
 *   nccl_message.h   what the two send each other
 *   nccl_socket.c    sockets, and the id that leads to one
 *   nccl_reduce.c    what is done to the numbers
 *
 * A group's calls of one rank and stream are one piece of work (struct party). It is held until all ranks
 * that any of its tasks needs have queued theirs. In one process all of them then get the clocks of all, so
 * that none runs before everything that lies before any of them; the first to run does the work of all.
 * Between processes a party is two pieces of work in its stream: the first sends what the rank gives, the
 * second is held until the result has come.
 *
 * A party that is captured is a pattern in a graph: each launch of the graph makes a party of it, which gets its
 * numbers then.
 *
 * Sums, and every other reduction, go over the ranks in their order, from 0 up: in one process and in several
 * the same bits.
 */
#ifndef CUCC_NCCL_INNER_H
#define CUCC_NCCL_INNER_H

#include "nccl.h"
#include "base/needed.h"
#include "base/time.h"
#include "state/device.h"
#include "state/loaded.h"
#include "state/state.h"
#include "memory/arena.h"
#include "engine/engine.h"
#include "engine/entry.h"
#include "engine/work.h"

#define RANKS_MAX      64
#define TASKS_MAX      64 /* of one rank in a group */
#define NCCL_WORDS_MAX 600

struct link;

/* All ranks of this process that meet under one ncclUniqueId. */
struct clique {
  uint64_t id;
  int ranks, joined; /* how many there are, how many of this process ever had a communicator */
  struct ncclComm *comm[RANKS_MAX];
  pthread_t thread;   /* that made the first rank */
  bool threads;       /* several threads have part in it: one may come later than others wait */
  const char *failed; /* why its ranks cannot come together */
  struct clique *next;
};

struct ncclComm {
  uint32_t magic;
  struct clique *clique;
  int rank, device;
  ncclUniqueId unique;
  struct link *link; /* to ranks of other processes; NULL: all are of this one */
  struct loaded *loaded;
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
  bool captured; /* its stream is: it becomes part of a graph */
  struct task task[TASKS_MAX];
  bool ready, marked;     /* all that it waits for are there; seen by a walk */
  struct party *together; /* a ring of those that run as one, once ready */
  bool done, good;
  struct party *next;
};

/* Why two ranks' calls do not fit. */
struct dispute {
  char text[240];
  const struct party *party[2];
  const struct task *task[2];
};

/* nccl.c. Keeps the reason for ncclGetLastError, a string that stays, and the call that failed: the function
 * itself where it is one of NCCL's. Gives the result. */
ncclResult_t nccl_fail_in(const char *function, ncclResult_t result, const char *why);
#define nccl_fail(result, why) nccl_fail_in(__func__, result, why)
extern __thread int nccl_depth; /* of ncclGroupStart */
/* A graph was launched: a party of its own, malloc'ed. NULL, and a finding: its communicator is gone. */
struct party *nccl_party_of(const struct party *pattern);

/* nccl_comm.c */
bool nccl_is_comm(const struct ncclComm *comm);
/* The same for one that may have been destroyed; with cucc.lock held. */
bool nccl_lives(const struct ncclComm *comm);
void nccl_note_thread(struct clique *c);
/* Waits for the other ranks of the communicators that this thread has begun to make. */
ncclResult_t nccl_finish_joining(void);
/* A rank of another process has come to an id of this one: known, unless all its ranks are here already. With
 * cucc.lock held. */
enum nccl_arrival { ARRIVAL_GOOD, ARRIVAL_UNKNOWN, ARRIVAL_COMPLETE };
enum nccl_arrival nccl_arrives(uint64_t id, uint64_t secret);

/* nccl_match.c. The party of `rank` in a list that has part in a task of p, and which of its tasks; NULL
 * while it has not called. */
struct party *nccl_partner(struct party *list, const struct party *p, const struct task *t, int rank,
                           struct task **its);
/* The task of p cannot go on without that rank. */
bool nccl_needs(const struct party *p, const struct task *t, int rank);
/* Marks p and all that it waits for, directly and by way of others. Returns false, with the first one that is
 * missing, when they are not all there. */
bool nccl_gather(struct party *list, struct party *p, const struct party **waiting, const struct task **task,
                 int *missing);
void nccl_unmark(struct party *list);
/* Bytes that a task reads and writes of its rank's memory. */
size_t nccl_given(const struct task *t, int rank, int ranks);
size_t nccl_received(const struct task *t, int rank, int ranks);
/* Does what all parties of a ring have to do. False: two of them do not fit. */
bool nccl_perform(struct party *list, struct party *first, struct dispute *dispute);
extern const char nccl_alike[]; /* how calls that do not fit come about */

/* nccl_meet.c. Queues a party (malloc'ed, now its own); with cucc.lock held. */
cudaError_t party_queue(struct party *party);
/* Declares the memory that a task reads, or writes, before it does. */
bool party_reads(struct work *w, const struct party *p);
bool party_writes(struct work *w, const struct party *p);
/* Ranks of this process wait for each other. */
bool parties_wait(void);
bool nccl_stalled(void);

/* nccl_rank.c. Greets the hub of the id; then waits until it has all ranks. Errors are reported. */
ncclResult_t rank_greet(struct ncclComm *comm);
ncclResult_t rank_await(struct ncclComm *comm);
/* As party_queue. */
cudaError_t rank_queue(struct party *party);
/* Says farewell; frees the link. */
void rank_leave(struct ncclComm *comm);
bool rank_lost(const struct ncclComm *comm);
/* The host waits, nothing can run: tells the hubs. Never certain by itself. */
void ranks_stalled(bool others);
/* Operations that the engine runs for other ranks only, while no host of this process waits for them. */
bool ranks_only_asked(void);
/* At the end of the program: the hubs learn that the ranks that did not leave have gone. */
void ranks_end(void);

/* nccl_hub.c. Starts the hub of this process; the port where it listens, 0: there are no sockets. */
int hub_start(void);
/* At the end of the program: waits until the ranks of other processes have left. */
void hub_end(int status);

/* nccl_reduce.c */
size_t nccl_size(ncclDataType_t type);
/* False for types that can only be moved. */
bool nccl_reducible(ncclDataType_t type);
/* into[i] = into[i] op from[i] */
void nccl_combine(void *into, const void *from, size_t count, ncclDataType_t type, ncclRedOp_t op);
/* ncclAvg: what a sum becomes at last. */
void nccl_divide(void *numbers, size_t count, ncclDataType_t type, int by);

#endif
