/*
 * A launch, and the state of a block while it runs: shared by launch.c, pool.c, block.c, warp.c and the
 * checker.
 */
#ifndef CUCC_BLOCK_H
#define CUCC_BLOCK_H

#include "runtime.h"
#include "switch.h"

#define MAX_THREADS 1024
#define MAX_WARPS   32
/* Workers at most: CUCC_WORKERS, and one for each further block that the device holds at once. */
#define WORKERS_MAX     (64 + 512)
#define MULTIPROCESSORS 16 /* of the made-up device */

struct launch {
  char *name, *file;
  int line;
  uint3 grid, block;
  size_t shared_bytes;
  void (*run)(const void *closure);
  void *closure;
  size_t closure_size;
  uint64_t blocks, next;               /* next: the first block that no worker has taken */
  uint64_t step, offset;               /* CUCC_ORDER: the n-th block to run is (n * step + offset) % blocks */
  uint32_t thread_step, thread_offset; /* the same for the threads of a block */
  int threads;                         /* of a block */
  unsigned flags;
  int device;
  cudaError_t error; /* set: no further block starts */
  int overdue;       /* its time is over: 1, and that was said: 2 */
  uint64_t number;   /* limits.c: of all launches */
  const struct op *op;
};

/* As in include/cucc/kernel.h. */
struct cucc_self {
  uint3 thread_idx, block_idx, block_dim, grid_dim;
};
extern __thread struct cucc_self cucc_self;

struct fiber {
  struct context context;
  uintptr_t low, high; /* its stack */
  struct fiber *next_free;
};

enum wait { RUNNING, SPINNING, AT_BARRIER, AT_WARP, ENDED };

struct thread {
  struct fiber *fiber;
  uintptr_t site; /* return address of the call it waits in */
  enum wait wait;
  uint32_t acquired; /* checker: this block's accesses up to here come before this thread's next one */
};

/* What a lane asks of its warp. The last lane of the group to come serves all of them. */
struct request {
  uint32_t mask;
  int source;  /* shuffle: whose value it wants */
  void *value; /* shuffle: where its own value is and the answer goes */
  size_t size; /* 0: no shuffle */
  bool predicate;
  uint64_t word, *all; /* what it gives to the others, and where it wants what they give; NULL: nowhere */
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
  int asking;                     /* threads that wait in __activemask */
  uint64_t next_block, end_block; /* of its portion of the launch */
  double spin_ms;                 /* since when it spins; of use while idle_turns is not 0 */
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

/* The worker that is running a kernel on this thread; NULL on the host's threads and outside kernels. */
extern __thread struct worker *cucc_worker;

#define SHARED_DEFAULT  ((size_t)48 << 10)
#define SHARED_RESERVED ((size_t)1 << 10) /* the device keeps so much of each block's for itself */
#define SHARED_MAX      ((size_t)163 << 10)
extern __thread unsigned char cucc_shared[SHARED_MAX];

/* Runs all blocks of a launch on the workers; returns when they are done. */
void pool_run(struct launch *launch);
/* Makes the first worker; false when there is no memory. */
bool pool_ready(void);
/* The part of pool_run in which the workers run the blocks. */
void pool_work(struct launch *l);
/* A copy that has not run yet. */
struct launch *launch_clone(const struct launch *launch);
void launch_free(struct launch *launch);
/* Stops the launch with an error: no further block starts. */
void launch_stop(struct launch *launch, cudaError_t error);
/* The running block waits for something outside of it: lets the processor go for a moment, and when that
 * lasts, has further blocks run beside it. */
void pool_spin(struct worker *w);
/* The largest dynamic shared memory that a launch of this kernel may ask for; NULL: of an unknown one. */
size_t launch_shared_limit(const void *function);
/* occupancy.c: how many such blocks a multiprocessor of the made-up device holds at once. */
int occupancy_blocks(int threads, size_t dynamic_shared_bytes);

/* block.c */
void block_run(struct worker *w, uint64_t block);
/* Parks the running thread and runs another; returns when it may go on. */
void block_wait(struct worker *w, enum wait wait, uintptr_t site);
static inline void block_make_ready(struct worker *w, int thread) {
  w->ready[w->ready_end++ % MAX_THREADS] = thread;
}
/* Ends the running thread in the middle of the kernel. */
void block_abandon(struct worker *w) __attribute__((noreturn));
/* Lets the block's other threads run, then goes on. */
void block_yield(struct worker *w);
/* In the fast build the threads of a row that nobody waits in follow each other without an entry in any list,
 * up to the one at x = cucc_row_last. Whoever wants to know the running thread, or switches to another one,
 * has that made up for first. */
extern __thread unsigned cucc_row_last;
void block_account(struct worker *w);
static inline void block_settle(struct worker *w) {
  if (CUCC_CHECKED) return;
  if (cucc_self.thread_idx.x != w->index_of[w->current].x) block_account(w);
  cucc_row_last = cucc_self.thread_idx.x;
}
/* A thread that spins: every atomic operation and volatile access counts cucc_patience down, and below zero
 * calls cucc_spin. */
extern __thread int cucc_patience;
void cucc_spin(void);
static inline void block_count_patience(void) {
  if (UNLIKELY(--cucc_patience < 0)) cucc_spin();
}

/* fibers.c: stacks. A worker keeps those it was given in its list until it leaves; NULL: no memory. Trimming gives
 * the memory back; only the engine's thread does, between kernels. */
struct fiber *fiber_take(struct fiber **free_fibers);
void fiber_give(struct fiber **free_fibers, struct fiber *f);
void fibers_give_back(struct fiber **free_fibers);
void fibers_trim(void);

/* grid.c: a cooperative launch's blocks wait for each other. */
#define CUCC_COOPERATIVE 1u
#define CUCC_RETURNS     2u /* include/cucc/launch.h */
void grid_begin(const struct launch *launch);
/* False when they can never all come. */
bool grid_meet(struct worker *w);
void grid_block_ended(void);
/* The launch was stopped: nobody waits any longer. */
void grid_stop(void);

/* The thread of a block that begins as its n-th, as CUCC_ORDER says. */
static inline int thread_at(const struct worker *w, int n) {
  const struct launch *l = w->launch;
  if (LIKELY(l->thread_step == 1 && l->thread_offset == 0)) return n;
  return (int)(((uint64_t)(unsigned)n * l->thread_step + l->thread_offset) % (unsigned)w->count);
}

/* warp.c */
void warps_begin(struct worker *w);
/* No thread can go on: answers those that wait in __activemask; false when there are none. */
bool warps_answer(struct worker *w);
void warp_lane_missed(struct worker *w, int thread);
static inline void warp_lane_ended(struct worker *w, int thread) {
  struct warp *warp = &w->warps[(unsigned)thread / 32];
  warp->lanes &= ~(1u << ((unsigned)thread % 32));
  if (UNLIKELY(warp->waiting)) warp_lane_missed(w, thread);
}

#endif
