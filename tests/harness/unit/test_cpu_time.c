/* Processor time of all threads: common/harness/base/cpu_time.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/cpu_time.h"

#define WORK_MS 1.5 /* shorter than a tick of the kernel's scheduler */

static double thread_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static atomic_bool worked, may_end;

/* Works for WORK_MS of its own time, then waits busily, as OpenMP's threads do after a parallel region. */
static void *work(void *unused) {
  while (thread_ms() < WORK_MS) {
  }
  worked = true;
  while (!may_end) {
  }
  return unused;
}

static atomic_int finished;
static atomic_bool may_leave;

/* Works for WORK_MS of its own time, and sleeps until it may leave. */
static void *exact(void *unused) {
  while (thread_ms() < WORK_MS) {
  }
  finished++;
  while (!may_leave) usleep(1000);
  return unused;
}

static double time_of_a_thread(bool ended) {
  pthread_t thread;
  worked = false;
  may_end = ended;
  const wb_cpu_time before = wb_cpu_time_now();
  assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
  while (!worked) sched_yield();
  if (ended) pthread_join(thread, NULL);
  const double ms = wb_cpu_ms_between(before, wb_cpu_time_now());
  may_end = true;
  if (!ended) pthread_join(thread, NULL);
  return ms;
}

static void counts_a_thread_that_still_runs(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) assert_true(time_of_a_thread(false) >= WORK_MS);
}

static void counts_a_thread_that_has_ended(void **state) {
  (void)state;
  for (int i = 0; i < 20; i++) assert_true(time_of_a_thread(true) >= WORK_MS);
}

/* Three threads work and one waits; then the three have ended. */
static void counts_the_threads_that_did_the_work(void **state) {
  (void)state;
  pthread_t workers[3];
  const wb_cpu_time before = wb_cpu_time_now();
  for (int i = 0; i < 3; i++) assert_int_equal(pthread_create(&workers[i], NULL, exact, NULL), 0);
  while (finished < 3) usleep(1000);
  const wb_cpu_time now = wb_cpu_time_now();
  assert_int_equal(wb_busy_threads(&before, &now), 3);
  may_leave = true;
  for (int i = 0; i < 3; i++) pthread_join(workers[i], NULL);
  const wb_cpu_time after = wb_cpu_time_now();
  assert_int_equal(wb_busy_threads(&before, &after), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_a_thread_that_still_runs),
      cmocka_unit_test(counts_a_thread_that_has_ended),
      cmocka_unit_test(counts_the_threads_that_did_the_work),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
