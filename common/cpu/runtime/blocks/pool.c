/*
 * The workers: a few threads that run blocks, made at the first launch of more than one block. The engine's
 * thread is worker 0. Blocks are taken from a counter in small portions; CUCC_ORDER sets the order in which
 * they run.
 *
 * Blocks may wait for each other: those of a cooperative launch at its synchronisation, others by spinning on
 * a flag. Then they need threads of their own. For such a launch extra workers are hired, at once or when
 * blocks spin, as many as the device would hold blocks; they leave when the launch has ended. A kernel that
 * needs more than those blocks at once hangs on a GPU, too.
 */
#include "blocks/pool.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cucc.h"

#include "base/fibers.h"
#include "base/occupancy.h"
#include "base/options.h"
#include "base/threads.h"
#include "base/time.h"
#include "state/launch_record.h"
#include "state/sample.h"
#include "state/timeline.h"
#include "state/without.h"
#include "state/worker.h"
#include "checker/epochs.h"
#include "blocks/block.h"
#include "blocks/faults.h"
#include "blocks/grid.h"

#define STACK_BYTES  ((size_t)1 << 20) /* of a worker itself; kernels run on fibers */
#define MANY_THREADS 8192              /* of a launch that calls the helpers at once */
#define ALONE_MS     0.05              /* others call them after so long: to wake one takes a while, too */

static struct worker *workers[WORKERS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static struct launch *current; /* NULL: its blocks are all taken, and a helper that wakes only now has none */
static uint64_t generation;
static bool alone;                /* the engine's thread runs the launch, the helpers have not been called */
static double begun_ms;           /* when it began */
static int helpers, extras, busy; /* made to stay; made for this launch; of both, at work */
/* What spinning workers gave back of their portions. */
static struct { uint64_t next, end; } returned[WORKERS_MAX];
static int returned_count;

static struct worker *worker_new(int index) {
  struct worker *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->index = index;
  w->ready = w->lists[0];
  w->arrived = w->lists[1];
  workers[index] = w;
  return w;
}

/* ------------------------------------------------------------------ blocks to run */

static bool take_returned(struct worker *w) {
  pthread_mutex_lock(&lock);
  const bool any = returned_count > 0;
  if (any) {
    w->next_block = returned[returned_count - 1].next++;
    w->end_block = w->next_block + 1;
    if (returned[returned_count - 1].next == returned[returned_count - 1].end)
      __atomic_store_n(&returned_count, returned_count - 1, __ATOMIC_RELAXED);
  }
  pthread_mutex_unlock(&lock);
  return any;
}

/* How many blocks of a launch run: all, or when sampling a few. */
static uint64_t blocks_of(const struct launch *l) {
  if (l->idle) return 0;
  const bool few = sampling() && !(l->flags & CUCC_COOPERATIVE) && l->blocks > SAMPLE_BLOCKS;
  return few ? SAMPLE_BLOCKS : l->blocks;
}

/* Why one a little before the end: in the last round of a loop in steps of the whole grid the last blocks may have
 * nothing left to do. */
static uint64_t sampled_block(const struct launch *l, uint64_t number) {
  if (number < SAMPLE_FIRST) return number;
  return number == SAMPLE_FIRST ? l->blocks - 2 - l->blocks / 64 : l->blocks - 1;
}

static bool take_block(struct worker *w, struct launch *l, uint64_t *block) {
  const uint64_t blocks = blocks_of(l);
  if (__atomic_load_n(&l->error, __ATOMIC_RELAXED)) return false;
  if (w->next_block == w->end_block) {
    const uint64_t portion =
        l->flags & CUCC_COOPERATIVE || extras ? 1 : 1 + blocks / (64u * (uint64_t)options()->workers);
    const uint64_t first = __atomic_fetch_add(&l->next, portion, __ATOMIC_RELAXED);
    if (first < blocks) {
      w->next_block = first;
      w->end_block = first + portion < blocks ? first + portion : blocks;
    } else if (!__atomic_load_n(&returned_count, __ATOMIC_RELAXED) || !take_returned(w))
      return false;
  }
  *block = (uint64_t)(((unsigned __int128)w->next_block++ * l->step + l->offset) % l->blocks);
  if (blocks < l->blocks) *block = sampled_block(l, w->next_block - 1);
  return true;
}

static void call_helpers(void);

static void run_blocks(struct worker *w, struct launch *l) {
  uint64_t block;
  w->launch = l;
  w->thread = pthread_self();
  faults_worker_begins(w);
  cucc_worker = w;
  __atomic_store_n(&w->at_work, true, __ATOMIC_RELEASE);
  w->next_block = w->end_block = 0;
  check_worker_begin(w);
  while (take_block(w, l, &block)) {
    block_run(w, block);
    __atomic_store_n(&w->blocks_ended, w->blocks_ended + 1, __ATOMIC_RELAXED);
    if (l->flags & CUCC_COOPERATIVE) grid_block_ended();
    if (w == workers[0] && alone && now_ms() - begun_ms > ALONE_MS) {
      pthread_mutex_lock(&lock);
      call_helpers();
      pthread_mutex_unlock(&lock);
    }
  }
  check_worker_end(w);
  __atomic_store_n(&w->at_work, false, __ATOMIC_RELEASE);
  cucc_worker = NULL;
  faults_worker_ends(w);
}

/* ------------------------------------------------------------------ workers */

static void *helper(void *argument) {
  struct worker *w = argument;
  uint64_t seen = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (generation == seen) pthread_cond_wait(&wake, &lock);
    seen = generation;
    struct launch *l = current;
    if (!l) continue;
    busy++;
    pthread_mutex_unlock(&lock);
    run_blocks(w, l);
    pthread_mutex_lock(&lock);
    if (--busy == 0) pthread_cond_signal(&idle);
  }
  return NULL;
}

static void *extra(void *argument) {
  struct worker *w = argument;
  run_blocks(w, w->launch);
  check_worker_leaves();
  fibers_give_back(&w->free_fibers);
  pthread_mutex_lock(&lock);
  workers[w->index] = NULL;
  free(w);
  if (--busy == 0) pthread_cond_signal(&idle);
  pthread_mutex_unlock(&lock);
  return NULL;
}

static bool hire(int index, void *(*work)(void *), struct launch *l) {
  struct worker *w = worker_new(index);
  if (!w) return false;
  w->launch = l;
  const bool hired = thread_start(STACK_BYTES + sizeof cucc_shared + ((size_t)1 << 20), work, w);
  if (!hired) {
    workers[index] = NULL;
    free(w);
  }
  return hired;
}

/* With the lock held. Fewer than wanted where the system allows no more threads. */
static void call_helpers(void) {
  alone = false;
  while (helpers + 1 < options()->workers && hire(helpers + 1, helper, NULL)) helpers++;
  generation++;
  pthread_cond_broadcast(&wake);
}

static bool hire_extra(struct launch *l) {
  const int index = options()->workers + extras;
  if (index >= WORKERS_MAX || !hire(index, extra, l)) return false;
  extras++;
  busy++;
  return true;
}

/* A thread for each block. */
static void hire_for_all(struct launch *l) {
  while ((uint64_t)(1 + helpers + extras) < l->blocks)
    if (!hire_extra(l)) {
      fprintf(stderr, "cucc: the system gives no threads for the %llu blocks of a cooperative launch\n",
              (unsigned long long)l->blocks);
      launch_stop(l, cudaErrorLaunchOutOfResources);
      return;
    }
}

void pool_interrupt(void) {
  pthread_mutex_lock(&lock);
  for (int i = 0; i < WORKERS_MAX; i++)
    if (workers[i] && __atomic_load_n(&workers[i]->at_work, __ATOMIC_ACQUIRE))
      pthread_kill(workers[i]->thread, SIGURG);
  pthread_mutex_unlock(&lock);
}

uint64_t pool_progress(void) {
  uint64_t sum = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < WORKERS_MAX; i++)
    if (workers[i]) sum += __atomic_load_n(&workers[i]->blocks_ended, __ATOMIC_RELAXED);
  pthread_mutex_unlock(&lock);
  return sum;
}

/* Returns the rest of its portion, so that others may run it, and hires for the blocks that have no worker. */
static void hire_for_spinning(struct worker *w) {
  struct launch *l = w->launch;
  pthread_mutex_lock(&lock);
  if (alone) call_helpers();
  if (w->next_block < w->end_block) {
    returned[returned_count].next = w->next_block;
    returned[returned_count].end = w->end_block;
    __atomic_store_n(&returned_count, returned_count + 1, __ATOMIC_RELAXED);
    w->next_block = w->end_block = 0;
  }
  const int most = multiprocessors() * occupancy_blocks(l->threads, l->shared_bytes);
  for (int more = 1 + extras; more > 0 && 1 + busy < most; more--)
    if ((__atomic_load_n(&l->next, __ATOMIC_RELAXED) >= l->blocks && !returned_count) || !hire_extra(l))
      break;
  pthread_mutex_unlock(&lock);
}

#define SPIN_MS  1.0 /* a block that spins for so long waits for one that has not started, or for the host */
#define PAUSE_MS 0.05

/* A spinning block gives way at every turn at first, as its wait may be short. Later it pauses now and then: on
 * a busy machine each sched_yield costs a time slice, and a kernel that only looks as if it spins, as with a
 * long loop of volatile reads, would seem to have no end. */
void pool_spin(struct worker *w) {
  const double now = now_ms();
  if (!w->spin_ms) w->spin_ms = w->pause_ms = now;
  if (now - w->spin_ms < SPIN_MS) {
    sched_yield();
  } else if (now - w->pause_ms > PAUSE_MS) {
    hire_for_spinning(w);
    nanosleep(&(struct timespec){.tv_nsec = (long)(PAUSE_MS * 1e6)}, NULL);
    w->pause_ms = now_ms();
  }
}

bool pool_ready(void) { return workers[0] || worker_new(0); }

void pool_work(struct launch *l) {
  l->idle = without(CUCC_KERNELS | CUCC_DEVICE_0 << l->device) ||
            (without(CUCC_BESIDE_COPIES) && timeline_beside_copies(l->op));
  pthread_mutex_lock(&lock);
  extras = returned_count = 0;
  current = l;
  alone = l->blocks > 1 && options()->workers > 1;
  begun_ms = now_ms();
  if (alone && (l->flags & CUCC_COOPERATIVE || l->blocks * (uint64_t)l->threads >= MANY_THREADS))
    call_helpers();
  if (l->flags & CUCC_COOPERATIVE) {
    grid_begin(l);
    hire_for_all(l);
  }
  pthread_mutex_unlock(&lock);
  run_blocks(workers[0], l);
  pthread_mutex_lock(&lock);
  current = NULL;
  while (busy) pthread_cond_wait(&idle, &lock);
  pthread_mutex_unlock(&lock);
}
