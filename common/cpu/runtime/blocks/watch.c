/*
 * A thread that watches the running launch: it interrupts workers that make no progress and ends a launch
 * whose time is over.
 */
#include "blocks/watch.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/code.h"
#include "base/options.h"
#include "base/threads.h"
#include "base/time.h"
#include "state/launch_record.h"
#include "blocks/overdue.h"
#include "blocks/pool.h"
#include "blocks/signals.h"

#define TICK_MS        50.0
#define NO_PROGRESS_MS 100.0
#define PREEMPT_MS     0.2
#define STOP_MS        1.0
#define GRACE_MS       1000.0 /* to find a kernel in its own code, and to have it leave */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
static struct launch *running;
static bool watching, asleep;

static void sleep_ms(double ms) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  const uint64_t ns = (uint64_t)t.tv_nsec + (uint64_t)(ms * 1e6);
  t.tv_sec += (time_t)(ns / 1000000000u);
  t.tv_nsec = (long)(ns % 1000000000u);
  pthread_cond_timedwait(&wake, &lock, &t);
}

/* A launch whose time is over. Returns when it has ended. */
static void end_launch(struct launch *l) {
  const double since = now_ms();
  __atomic_store_n(&l->overdue, 1, __ATOMIC_RELAXED);
  while (running == l) {
    const double late = now_ms() - since;
    pthread_mutex_unlock(&lock);
    if (late > GRACE_MS) overdue_stop(l, 0);
    if (late > 10 * GRACE_MS) {
      fprintf(stderr, "cucc: the kernel cannot be stopped where it is; the program ends here\n");
      _exit(86);
    }
    pool_interrupt();
    pthread_mutex_lock(&lock);
    if (running == l) sleep_ms(STOP_MS);
  }
}

/* With the lock held: one launch, from its begin to its end or beyond, to the next one's. */
static void watch_launch(struct launch *l, uint64_t launch) {
  const double limit_ms = options()->kernel_limit * 1e3;
  double since = now_ms();
  uint64_t progress = pool_progress();
  while (running == l && l->number == launch) {
    const double late = now_ms() - since;
    const bool stuck = late > NO_PROGRESS_MS;
    sleep_ms(stuck && !CUCC_CHECKED ? PREEMPT_MS : TICK_MS);
    if (running != l || l->number != launch) break;
    const uint64_t now = pool_progress();
    if (now != progress) {
      progress = now;
      since = now_ms();
    } else if (limit_ms > 0 && late > limit_ms)
      end_launch(l);
    else if (stuck && !CUCC_CHECKED)
      pool_interrupt();
  }
}

static void *watch(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  for (;;) {
    if (running) {
      watch_launch(running, running->number);
      continue;
    }
    asleep = true;
    while (!running) pthread_cond_wait(&wake, &lock);
    asleep = false;
  }
  return NULL;
}

void watch_begin(struct launch *l) {
  static uint64_t launches;
  pthread_mutex_lock(&lock);
  code_add_kernel((uintptr_t)l->run);
  if (!watching) {
    signals_start();
    watching = thread_start(0, watch, NULL);
  }
  l->number = ++launches;
  running = l;
  if (asleep) pthread_cond_signal(&wake);
  pthread_mutex_unlock(&lock);
}

void watch_end(void) {
  pthread_mutex_lock(&lock);
  running = NULL;
  pthread_mutex_unlock(&lock);
}
