/*
 * base/cpu_time.c: see base/cpu_time.h.
 *
 * The kernel brings the time of a thread that runs on another core up to date only at a tick, every 1 to 10
 * ms, and clock_gettime of the process adds up what it finds. After a call of 1 ms on 16 cores it sees one
 * core. The clock of a single thread is exact.
 */
#include "base/cpu_time.h"
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

static double read_ms(clockid_t clock) {
  struct timespec t;
  if (clock_gettime(clock, &t) != 0) return 0;
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* The clock of thread `id`, as pthread_getcpuclockid makes it: the inverted number and the kind in 3 bits. */
static clockid_t clock_of(long id) { return (clockid_t)((~(unsigned)id << 3) | 6u); }

wb_cpu_time wb_cpu_time_now(void) {
  wb_cpu_time now = {.process_ms = read_ms(CLOCK_PROCESS_CPUTIME_ID)};
  DIR *threads = opendir("/proc/self/task");
  if (!threads) return now;
  for (const struct dirent *entry; (entry = readdir(threads));) {
    const long id = strtol(entry->d_name, NULL, 10);
    if (id <= 0) continue;
    const double ms = read_ms(clock_of(id));
    now.live_ms += ms;
    if (now.threads == WB_MOST_THREADS) continue;
    now.thread[now.threads].id = id;
    now.thread[now.threads++].ms = ms;
  }
  closedir(threads);
  return now;
}

double wb_cpu_ms_between(wb_cpu_time before, wb_cpu_time after) {
  return fmax(after.process_ms - before.process_ms, after.live_ms - before.live_ms);
}

/* What thread number t of `after` has had since `before`. */
static double spent_ms(const wb_cpu_time *before, const wb_cpu_time *after, int t) {
  double ms = after->thread[t].ms;
  for (int b = 0; b < before->threads; b++)
    if (before->thread[b].id == after->thread[t].id) ms -= before->thread[b].ms;
  return ms;
}

int wb_busy_threads(const wb_cpu_time *before, const wb_cpu_time *after) {
  double most = 0;
  int busy = 0;
  for (int t = 0; t < after->threads; t++) most = fmax(most, spent_ms(before, after, t));
  for (int t = 0; t < after->threads; t++) busy += spent_ms(before, after, t) >= most / 2;
  const double ended_ms = after->process_ms - before->process_ms - (after->live_ms - before->live_ms);
  return ended_ms > most / 2 || !(most > 0) ? 0 : busy;
}
