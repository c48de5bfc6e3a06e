/* base/cpu_time.h: how much time the threads of this process have had on processors. */
#ifndef WB_CPU_TIME_H
#define WB_CPU_TIME_H

#define WB_MOST_THREADS 256

typedef struct wb_cpu_time {
  double process_ms; /* the process's clock: ended threads too, but running ones only up to their last tick */
  double live_ms;    /* the clocks of the threads that live now, each up to date; 0 without /proc */
  int threads;       /* those that live now, WB_MOST_THREADS at most: */
  struct {
    long id;
    double ms;
  } thread[WB_MOST_THREADS];
} wb_cpu_time;

wb_cpu_time wb_cpu_time_now(void);

/* Milliseconds of processor time between `before` and `after`, of all threads. */
double wb_cpu_ms_between(wb_cpu_time before, wb_cpu_time after);

/*
 * How many threads did the work between `before` and `after`: those that had at least half as much processor
 * time as the busiest one; 0 where threads did it that have ended. How busy the machine is makes no
 * difference to it.
 */
int wb_busy_threads(const wb_cpu_time *before, const wb_cpu_time *after);

#endif
