/* base/cpu_time.h: how much time the threads of this process have had on processors. */
#ifndef WB_CPU_TIME_H
#define WB_CPU_TIME_H

typedef struct wb_cpu_time {
  double process_ms; /* the process's clock: ended threads too, but running ones only up to their last tick */
  double live_ms;    /* the clocks of the threads that live now, each up to date; 0 without /proc */
} wb_cpu_time;

wb_cpu_time wb_cpu_time_now(void);

/* Milliseconds of processor time between `before` and `after`, of all threads. */
double wb_cpu_ms_between(wb_cpu_time before, wb_cpu_time after);

#endif
