/*
 * The device: one thread that runs operations when all that must come before them has run.
 *
 * It is lazy on purpose. Nothing runs until a host waits for something; then only what is waited for, and
 * what that depends on, runs. So a program that forgets to synchronise reads old data every time, not now and
 * then. When the host has been at work for IDLE_CPU_MS of its own processor time without a call, or IDLE_MS
 * have passed, or when it polls, the rest runs as well: a device does not sleep forever. Processor time,
 * because on a busy machine twenty milliseconds may pass between two lines of a program.
 *
 * Among operations that are ready, CUCC_ORDER picks: the one asked for first, last, or by a seeded random
 * number.
 */
#include "engine/engine.h"

#include <stdlib.h>
#include <time.h>

#include "cucc.h"

#include "base/clock.h"
#include "base/fibers.h"
#include "base/options.h"
#include "base/threads.h"
#include "base/time.h"
#include "state/capture.h"
#include "state/counters.h"
#include "state/launch_record.h"
#include "state/op.h"
#include "state/state.h"
#include "state/streams.h"
#include "state/timeline.h"
#include "state/without.h"
#include "state/work_record.h"
#include "memory/arena.h"
#include "checker/host.h"

#define IDLE_CPU_MS 20.0
#define IDLE_MS     1000.0
#define TICK_MS     10.0
#define REST_MS     50.0 /* the next kernel comes soon, as a rule; later the stacks' memory goes back */
#define QUEUE_LIMIT                                                                                          \
  4096 /* operations in flight before a call blocks until some have run; hardware has about 1000 */

static struct clock completed; /* per stream slot: how many operations have run */
static bool stacks_used;       /* by a kernel, since they were last emptied */
static bool asleep;            /* until it is woken */
static int queuers;            /* hosts that wait until the queue has room */
static struct waiter {
  const struct clock *target;
  struct waiter *next;
} * waiters; /* hosts, each until all of its target has run */
bool (*work_stalled)(void);

void engine_host_active(void) {
  cucc.last_call_ms = now_ms();
  cucc.last_call_cpu_ms = clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static bool better(const struct op *a, const struct op *b) {
  switch (options()->order) {
  case ORDER_REVERSE:
    return a->issue > b->issue;
  case ORDER_RANDOM:
    return random_of(a->issue) < random_of(b->issue);
  default:
    return a->issue < b->issue;
  }
}

/* The operation to run next, or NULL. Those that a host waits for go first. */
static struct op *pick(bool only_wanted) {
  struct op *best = NULL;
  for (struct CUstream_st *s = cucc.streams; s; s = s->next) {
    struct op *op = s->first;
    if (op && !(op->work && op->work->held && !cucc.sticky) && clock_covers(&completed, &op->clock) &&
        (!only_wanted || op->seq <= clock_get(&cucc.wanted, s->slot)) && (!best || better(op, best)))
      best = op;
  }
  return best;
}

static void execute(struct op *op) {
  if (cucc.sticky && op->kind != OP_EVENT && !op->callback)
    return; /* the context is dead: nothing more happens on the device */
  if (op->kind == OP_KERNEL) stacks_used = true;
  if (op->run) op->run(op);
}

/* A host that is woken for each operation of many costs more than small kernels take. */
static void wake_hosts(void) {
  bool any = queuers > 0;
  for (const struct waiter *w = waiters; w && !any; w = w->next) any = clock_covers(&completed, w->target);
  if (any) pthread_cond_broadcast(&cucc.done);
}

static void finish(struct op *op) {
  struct CUstream_st *s = op->stream;
  s->completed = op->seq;
  clock_set(&completed, s->slot, op->seq);
  cucc.pending--;
  engine_host_active(); /* the kernel's processor time was not the host's */
  wake_hosts();
  clock_free(&op->clock);
  free(op->staging);
  launch_free(op->launch);
  free(op->work);
  free(op);
}

/* Until there is work or the time is over: then false. */
static bool wait_ms(double ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  const uint64_t ns = (uint64_t)t.tv_nsec + (uint64_t)(ms * 1e6);
  t.tv_sec += (time_t)(ns / 1000000000u);
  t.tv_nsec = (long)(ns % 1000000000u);
  return pthread_cond_timedwait(&cucc.work, &cucc.lock, &t) == 0;
}

/* Nothing is left to do. Kernels run on this thread and on workers that it waits for, so none has a stack in
 * use now. */
static void rest(void) {
  cucc.kicked = false;
  if (!stacks_used) {
    asleep = true;
    pthread_cond_wait(&cucc.work, &cucc.lock);
    asleep = false;
  } else if (!wait_ms(REST_MS) && cucc.pending == 0) {
    fibers_trim();
    stacks_used = false;
  }
}

static void wait_for_work(void) {
  if (cucc.pending == 0) {
    rest();
    return;
  }
  if (now_ms() - cucc.last_call_ms > IDLE_MS ||
      clock_ms(CLOCK_PROCESS_CPUTIME_ID) - cucc.last_call_cpu_ms > IDLE_CPU_MS) {
    cucc.kicked = true;
    if (pick(false)) return; /* none: what is there waits for what is still to come */
  }
  wait_ms(TICK_MS);
}

/* A host that waited for what is done now may not have woken yet. */
static bool host_waits(void) { return cucc.waiters && !clock_covers(&completed, &cucc.wanted); }

static void *engine(void *unused) {
  (void)unused;
  pthread_mutex_lock(&cucc.lock);
  for (;;) {
    struct op *op = cucc.waiters ? pick(true) : NULL;
    if (!op && (cucc.kicked || cucc.pending > QUEUE_LIMIT / 2)) op = pick(false);
    if (!op) {
      if (host_waits() && !cucc.sticky && work_stalled && !pick(false) && work_stalled())
        cucc_fault(cudaErrorLaunchTimeout, 0, NULL);
      else
        wait_for_work();
      continue;
    }
    op->stream->first = op->next;
    if (!op->next) op->stream->last = NULL;
    pthread_mutex_unlock(&cucc.lock);
    memory_guard(true);
    execute(op);
    memory_guard(false);
    pthread_mutex_lock(&cucc.lock);
    finish(op);
  }
  return NULL;
}

void cucc_without(int parts) {
  __atomic_store_n(&without_parts, parts, __ATOMIC_RELAXED);
  memory_guard(false);
}

bool engine_start(void) {
  static bool running;
  if (!running) running = thread_start(0, engine, NULL);
  return running;
}

/* A device's default stream waits for all its blocking streams, and they for it. */
void engine_join_order(struct clock *clock, const struct CUstream_st *s) {
  clock_join(clock, &s->clock);
  clock_join(clock, &cucc.host);
  if (s->flags & cudaStreamNonBlocking) return;
  if (!s->legacy) {
    clock_join(clock, &cucc.legacy[s->device]);
    return;
  }
  for (const struct CUstream_st *t = cucc.streams; t; t = t->next)
    if (t->device == s->device && !(t->flags & cudaStreamNonBlocking)) clock_join(clock, &t->clock);
}

void engine_queue(struct op *op) {
  struct CUstream_st *s = op->stream;
  if (s->capture) {
    capture_take(op);
    return;
  }
  while (cucc.pending >= QUEUE_LIMIT) {
    pthread_cond_signal(&cucc.work);
    queuers++;
    pthread_cond_wait(&cucc.done, &cucc.lock);
    queuers--;
  }
  engine_join_order(&op->clock, s);
  if (op->launch) op->launch->device = s->device;
  op->seq = ++s->issued;
  op->issue = ++cucc.issued;
  timeline_add(op);
  clock_join(&s->clock, &op->clock);
  clock_set(&s->clock, s->slot, op->seq);
  if (s->legacy) clock_join(&cucc.legacy[s->device], &s->clock);
  count_operation(op);
  check_queued(op);
  op->next = NULL;
  if (s->last)
    s->last->next = op;
  else
    s->first = op;
  s->last = op;
  cucc.pending++;
  if (asleep || cucc.waiters || cucc.kicked || cucc.pending > QUEUE_LIMIT / 2)
    pthread_cond_signal(&cucc.work);
}

void engine_wait(const struct clock *target) {
  struct waiter mine = {target, waiters}, **place = &waiters;
  waiters = &mine;
  cucc.waiters++;
  clock_join(&cucc.wanted, target);
  pthread_cond_signal(&cucc.work);
  while (!clock_covers(&completed, target)) pthread_cond_wait(&cucc.done, &cucc.lock);
  while (*place != &mine) place = &(*place)->next;
  *place = mine.next;
  if (--cucc.waiters == 0) clock_free(&cucc.wanted);
  clock_join(&cucc.host, target);
  check_host_waited();
}

bool engine_reached(const struct clock *target) {
  if (clock_covers(&completed, target)) {
    clock_join(&cucc.host, target);
    check_host_waited();
    return true;
  }
  cucc.kicked = true;
  pthread_cond_signal(&cucc.work);
  return false;
}
