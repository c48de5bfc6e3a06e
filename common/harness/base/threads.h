/*
 * base/threads.h: parallel work in the parent.
 *
 * Plain POSIX threads, made and joined within each call. Not OpenMP: workers are forked from this process,
 * and a forked child can't use an OpenMP team that its parent started.
 */
#ifndef WB_THREADS_H
#define WB_THREADS_H

#include <stddef.h>

/* Cores that this process may run on, at least 1. */
int wb_cores(void);

/*
 * Splits [0, count) into one contiguous part for each thread and calls work(argument, part, first, last) for
 * each; returns when all are done. At most 64 parts, none smaller than `grain` elements unless there is only
 * one. `part` counts from 0.
 */
void wb_parallel(size_t count, size_t grain,
                 void (*work)(void *argument, int part, size_t first, size_t last), void *argument);

#define WB_MAX_THREADS 64

#endif
