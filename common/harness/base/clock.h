/* base/clock.h: the wall clock. */
#ifndef WB_CLOCK_H
#define WB_CLOCK_H

#include <time.h>

/* Milliseconds since some fixed moment; never goes back. */
static inline double wb_now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

#endif
