/* cache.h: lesson12's task 3, a cache of kernels: functions for the table of tasks. */
#ifndef CACHE_H
#define CACHE_H

#include "texts.h"
#include "wb.h"

#define TIMED_REQUESTS 1000
#define GLUED_REQUESTS (2 * GLUED) /* texts.h */

int call_cache(const wb_case *c);
wb_expected expect_cache(const wb_case *c, int array, size_t i);
const char *cause_cache(const wb_case *c, int array, size_t i, double got);
double requests(const wb_case *c);

#endif
