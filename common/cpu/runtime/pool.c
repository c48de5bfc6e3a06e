/*
 * The workers: a few threads that run blocks, made at the first launch of more than one block. The engine's
 * thread is worker 0. Blocks are taken from a counter in small portions; in which order they run, CUCC_ORDER
 * says.
 */
#include "block.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

#define WORKERS_MAX 64
#define STACK_BYTES ((size_t)1 << 20) /* of a worker itself; kernels run on fibers */

static struct worker *workers[WORKERS_MAX];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER, idle = PTHREAD_COND_INITIALIZER;
static struct launch *current;
static uint64_t generation;
static int helpers, busy;

__thread struct worker *cucc_worker;

static struct worker *worker_new(int index) {
  struct worker *w = calloc(1, sizeof *w);
  w->index = index;
  w->ready = w->lists[0];
  w->arrived = w->lists[1];
  workers[index] = w;
  return w;
}

static void run_blocks(struct worker *w, struct launch *l) {
  const uint64_t portion = 1 + l->blocks / (64u * (uint64_t)options()->workers);
  cucc_worker = w;
  w->launch = l;
  check_worker_begin(w);
  for (;;) {
    const uint64_t first = __atomic_fetch_add(&l->next, portion, __ATOMIC_RELAXED);
    for (uint64_t n = first; n < first + portion && n < l->blocks; n++) {
      if (__atomic_load_n(&l->error, __ATOMIC_RELAXED)) break;
      block_run(w, (uint64_t)(((unsigned __int128)n * l->step + l->offset) % l->blocks));
    }
    if (first + portion >= l->blocks || __atomic_load_n(&l->error, __ATOMIC_RELAXED)) break;
  }
  check_worker_end(w);
  cucc_worker = NULL;
}

static void *helper(void *argument) {
  struct worker *w = argument;
  uint64_t seen = 0;
  pthread_mutex_lock(&lock);
  for (;;) {
    while (generation == seen) pthread_cond_wait(&wake, &lock);
    seen = generation;
    struct launch *l = current;
    pthread_mutex_unlock(&lock);
    run_blocks(w, l);
    pthread_mutex_lock(&lock);
    if (--busy == 0) pthread_cond_signal(&idle);
  }
  return NULL;
}

static void hire(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK_BYTES + sizeof cucc_shared + ((size_t)1 << 20));
  while (helpers + 1 < options()->workers) {
    struct worker *w = worker_new(helpers + 1);
    if (pthread_create(&w->thread, &attributes, helper, w)) break; /* then with fewer */
    helpers++;
  }
  pthread_attr_destroy(&attributes);
}

static uint64_t common_divisor(uint64_t a, uint64_t b) { return b ? common_divisor(b, a % b) : a; }

/* A walk through 0 … n-1 that meets each once: n-th is (n * step + offset) % n. */
static void choose_walk(uint64_t n, uint64_t salt, uint64_t *step, uint64_t *offset) {
  *step = 1;
  *offset = 0;
  if (options()->order == ORDER_REVERSE) {
    *step = n - 1 ? n - 1 : 1;
    *offset = n - 1;
  } else if (options()->order == ORDER_RANDOM) {
    *offset = random_of(salt) % n;
    do *step = 1 + random_of(++salt) % n;
    while (common_divisor(*step, n) != 1);
  }
}

void pool_run(struct launch *l) {
  uint64_t step, offset;
  choose_walk(l->blocks, l->op->issue << 8, &l->step, &l->offset);
  choose_walk((uint64_t)l->threads, (l->op->issue << 8) + 128, &step, &offset);
  l->thread_step = (uint32_t)step;
  l->thread_offset = (uint32_t)offset;
  if (!workers[0]) worker_new(0);
  const bool alone = l->blocks == 1 || options()->workers == 1;
  if (!alone) {
    pthread_mutex_lock(&lock);
    hire();
    current = l;
    busy = helpers;
    generation++;
    pthread_cond_broadcast(&wake);
    pthread_mutex_unlock(&lock);
  }
  run_blocks(workers[0], l);
  if (!alone) {
    pthread_mutex_lock(&lock);
    while (busy) pthread_cond_wait(&idle, &lock);
    pthread_mutex_unlock(&lock);
  }
}

void launch_stop(struct launch *l, cudaError_t error) {
  cudaError_t none = cudaSuccess;
  __atomic_compare_exchange_n(&l->error, &none, error, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}
