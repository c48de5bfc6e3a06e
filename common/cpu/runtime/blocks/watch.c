/*
 * Time limits: a kernel that never ends is stopped, and in the fast build a thread that spins is interrupted
 * so that the others can run.
 *
 * One thread of the process watches while a kernel runs. When no block has ended for CUCC_KERNEL_LIMIT
 * seconds, in which the process really ran (a machine may be busy), it signals the workers (SIGURG, which is
 * ignored by default). The signal's handler runs on the stack of the fiber that it interrupts, as if the
 * kernel had called it right there. So it may report where the kernel is, and leave the fiber for good, as a
 * thread does that an error ends. That needs no help from the kernel: a loop without any access to memory is
 * stopped as well.
 *
 * The handler acts only when the interrupted instruction is the kernel's own. In the runtime or in the C
 * library a lock may be held: then the handler returns, and a later signal tries again. base/code.c decides
 * by its address whose code an instruction is: a kernel's module is known from its launch, and the runtime's
 * code lies in a section of its own (build-runtime.bash).
 *
 * The fast build does not see a kernel's volatile reads. There, after NO_PROGRESS_MS without the end of a
 * block, the handler gives the turn to the block's next thread, in case the interrupted one waits for it. The
 * interrupted thread comes back later by returning from the handler.
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
#define RAN_SHARE      0.2    /* of the limit that the process must have run; spinning blocks sleep, too */
#define BUSY_LIMITS    5      /* after so many limits a kernel is stopped though the process hardly ran */

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

/* A moment, and how long the process had run then. */
struct moment {
  double ms, ran_ms;
};

static struct moment moment_now(void) {
  return (struct moment){now_ms(), clock_ms(CLOCK_PROCESS_CPUTIME_ID)};
}

static bool over(struct moment since, double limit_ms) {
  const struct moment now = moment_now();
  const double late = now.ms - since.ms, ran = now.ran_ms - since.ran_ms;
  return limit_ms > 0 && late > limit_ms && (ran > RAN_SHARE * limit_ms || late > BUSY_LIMITS * limit_ms);
}

/* With the lock held: one launch, from its begin to its end or beyond, to the next one's. */
static void watch_launch(struct launch *l, uint64_t launch) {
  const double limit_ms = options()->kernel_limit * 1e3;
  struct moment since = moment_now();
  uint64_t progress = pool_progress();
  while (running == l && l->number == launch) {
    const bool stuck = now_ms() - since.ms > NO_PROGRESS_MS;
    sleep_ms(stuck && !CUCC_CHECKED ? PREEMPT_MS : TICK_MS);
    if (running != l || l->number != launch) break;
    const uint64_t now = pool_progress();
    if (now != progress) {
      progress = now;
      since = moment_now();
    } else if (over(since, limit_ms))
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
