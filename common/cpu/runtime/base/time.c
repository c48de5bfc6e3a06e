/* Clocks, in milliseconds. */
#include "base/time.h"

#include <time.h>

double clock_ms(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

double now_ms(void) { return clock_ms(CLOCK_MONOTONIC); }
