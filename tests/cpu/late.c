/*
 * Load, made on purpose: LD_PRELOAD of this library has each operation on a lock or a condition come late now
 * and then, as where other programs have the processors. So threads meet in orders that a quiet machine
 * never shows.
 *
 * LATE_US    microseconds at most (2000); every fourth operation comes so late, at random
 * LATE_WAKE  microseconds after a broadcast, once its lock is given back (0): the thread that is woken is the first
 * LATE_SEED  another run of chances
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static uint64_t late_us, wake_us, seed;
static __thread int woke; /* whom a broadcast has woken gets the lock once it is unlocked */

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
  late_us = setting("LATE_US", 2000);
  wake_us = setting("LATE_WAKE", 0);
  seed = setting("LATE_SEED", 1);
}

static void pause_us(uint64_t us) {
  const struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
  if (us) nanosleep(&t, NULL);
}

static void maybe(void) {
  static uint64_t threads;
  static __thread uint64_t chance;
  if (!chance)
    chance = seed * 0x9e3779b97f4a7c15u + 2 * __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) + 1;
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  if (chance >> 62 == 0 && late_us) pause_us((chance >> 30) % late_us);
}

/* The C library's own. */
#define NEXT(name)                                                                                           \
  static __typeof__(name) *next;                                                                             \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

int pthread_mutex_lock(pthread_mutex_t *m) {
  NEXT(pthread_mutex_lock);
  maybe();
  return next(m);
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
  NEXT(pthread_mutex_unlock);
  const int result = next(m);
  if (woke) pause_us(wake_us);
  woke = 0;
  maybe();
  return result;
}

int pthread_cond_signal(pthread_cond_t *c) {
  NEXT(pthread_cond_signal);
  const int result = next(c);
  maybe();
  return result;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
  NEXT(pthread_cond_broadcast);
  woke = 1;
  return next(c);
}
