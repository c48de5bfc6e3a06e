/* processes.h: a rank that is a process of its own: for --as-rank. */
#ifndef PROCESSES_H
#define PROCESSES_H

#include "ranks.h"

/* A task of ranks, and the call of the learner's function for one of them. */
typedef struct rank_task {
  const wb_task *task;
  rank_call *call;
} rank_task;

/* This process is one rank of a job (job.h): it does its part of all the tasks' plates, and compares its own
 * rows with the right ones. Prints a line. Returns 0 if they are right, 1 if not, 2 if it is no rank of a job,
 * 3 if the ranks can't come together. */
int run_as_rank(const rank_task *tasks, int count, uint64_t seed);

#endif
