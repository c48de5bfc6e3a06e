#ifndef CUCC_STATE_WORKER_H
#define CUCC_STATE_WORKER_H

#include "base/base.h"
#include "base/fibers.h"
#include "base/occupancy.h"
#include "base/switch.h"
#include "state/launch_record.h"
#include "state/phase.h"

struct fiber;
struct tile;

#define MAX_WARPS 32
/* Workers at most: CUCC_WORKERS, and one for each further block that the device holds at once. */
#define WORKERS_MAX (64 + 512)

/* As in include/cucc/kernel.h. */
struct cucc_self {
  uint3 thread_idx, block_idx, block_dim, grid_dim;
};

enum wait { RUNNING, SPINNING, AT_BARRIER, AT_WARP, AT_PHASE, ENDED };

struct thread {
  struct fiber *fiber;
  uintptr_t site; /* return address of the call it waits in */
  enum wait wait;
  uint32_t acquired; /* checker: this block's accesses up to here come before this thread's next one */
  unsigned barrier;  /* the number that the rewriter gave to the barrier that it waits at; 0: none */
  bool at_end, left; /* it came to the end of the kernel; it returned early from a function with a barrier */
};

/* What a thread has to do with barriers that lie in memory (state/phase.h). */
struct phased {
  const uint64_t *object; /* AT_PHASE: where it waits; NULL: its phase has ended */
  enum phase_use use;     /* what it waits for there */
  uint32_t stamp;         /* checker: the id of its accesses, where that is newer than its warp's */
  uint32_t heard;         /* checker: the newest id of what it has seen (checker/seen.h); 0: nothing */
};

/* What a lane asks of its warp. The last lane of the group to come serves all of them. */
struct request {
  uint32_t mask;
  int source;  /* shuffle: whose value it wants */
  void *value; /* shuffle: where its own value is and the answer goes */
  size_t size; /* 0: no shuffle */
  bool predicate;
  uint64_t word, *all;     /* what it gives to the others, and where it wants what they give; NULL: nowhere */
  bool whole;              /* all 32 lanes have to be there */
  const struct tile *tile; /* the product of matrices that the warp computes; NULL: none */
  uint32_t ballot;
};

struct warp {
  uint32_t lanes, waiting; /* that have not ended; that wait for their group */
  uint32_t asking;         /* that wait in __activemask */
  uint32_t id;             /* checker: what its accesses are stamped with */
  struct request request[32];
};

/* One of the threads that run blocks. */
struct worker {
  /* what each turn of a thread needs stands together */
  struct launch *launch;
  struct fiber *fiber;
  int current; /* linear index of the running thread */
  int count, started, ended;
  /* Threads that can go on, and threads at the barrier, both in order of arrival: when the last one arrives,
   * the second list becomes the first. */
  int *ready, *arrived;
  unsigned ready_at, ready_end; /* a ring */
  int arrived_count;
  bool forward;    /* its threads begin in the order of their indices */
  int idle_turns;  /* given up by spinning threads since one last got anywhere */
  bool mixed;      /* checker: threads of this block have met at different barriers */
  bool warps_meet; /* a warp function was called in this block: the lanes of its warps are kept account of */
  int index;
  uint64_t block; /* linear index of the block that runs */
  struct context main;
  const void *own_stack; /* of main, where sanitize.h needs it */
  size_t own_stack_size;
  struct fiber *free_fibers;
  int at_grid;                              /* of those at the barrier, how many synchronise the grid */
  int predicates, result_count, result_all; /* of __syncthreads_count and its relatives */
  int lists[2][MAX_THREADS];
  uint3 shape, index_of[MAX_THREADS]; /* threadIdx of each thread in a block of this shape */
  struct thread threads[MAX_THREADS];
  struct warp warps[MAX_WARPS];
  int asking; /* threads that wait in __activemask */
  struct phased phased[MAX_THREADS];
  int at_phase;                   /* threads that wait for a phase */
  uint64_t next_block, end_block; /* of its portion of the launch */
  double spin_ms, pause_ms;       /* since when it spins, its last pause; of use while idle_turns is not 0 */
  pthread_t thread;
  bool at_work;
  uint64_t blocks_ended;
  struct {
    int signal;              /* 0: none; -1: its stack is full */
    uintptr_t site, address; /* as of a call there; 0: unknown */
  } fault;                   /* of the running thread */
  int opened;                /* pieces of its stack's guard */
  char signal_stack[32 << 10] __attribute__((aligned(16)));
  stack_t signal_stack_before;
};

#define PATIENCE          1000 /* atomic operations and volatile accesses of a thread in one turn */
#define PATIENCE_SPINNING 16   /* the same when its last turn ended so */
extern __thread struct cucc_self cucc_self IN_PROGRAM;

/* The worker that is running a kernel on this thread; NULL on the host's threads and outside kernels. */
extern __thread struct worker *cucc_worker IN_PROGRAM;
extern __thread unsigned char cucc_shared[SHARED_MAX] IN_PROGRAM;
static inline void block_make_ready(struct worker *w, int thread) {
  w->ready[w->ready_end++ % MAX_THREADS] = thread;
}
/* In the fast build the threads of a row in which none waits follow each other without an entry in any list,
 * up to the one at x = cucc_row_last. Code that needs the running thread, or switches to another one, brings
 * the lists up to date first. */
extern __thread unsigned cucc_row_last IN_PROGRAM;
void block_account(struct worker *w);
static inline void block_settle(struct worker *w) {
  if (CUCC_CHECKED) return;
  if (cucc_self.thread_idx.x != w->index_of[w->current].x) block_account(w);
  cucc_row_last = cucc_self.thread_idx.x;
}
/* A thread that spins: every atomic operation and volatile access counts cucc_patience down, and below zero
 * calls cucc_spin. */
extern __thread int cucc_patience IN_PROGRAM;

/* The thread of a block that begins as its n-th, as CUCC_ORDER says. */
static inline int thread_at(const struct worker *w, int n) {
  const struct launch *l = w->launch;
  if (LIKELY(l->thread_step == 1 && l->thread_offset == 0)) return n;
  return (int)(((uint64_t)(unsigned)n * l->thread_step + l->thread_offset) % (unsigned)w->count);
}

void warps_begin(struct worker *w);

#endif
