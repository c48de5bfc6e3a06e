#ifndef CUCC_STATE_LAUNCH_RECORD_H
#define CUCC_STATE_LAUNCH_RECORD_H

#include "base/base.h"
#include "state/op.h"

struct op;

struct launch {
  char *name, *file;
  int line;
  uint3 grid, block;
  size_t shared_bytes;
  void (*run)(const void *closure);
  void *closure;
  size_t closure_size;
  uint64_t blocks, next;               /* next: the first block that no worker has taken */
  uint64_t step, offset;               /* CUCC_ORDER: the n-th block to run is (n * step + offset) % blocks */
  uint32_t thread_step, thread_offset; /* the same for the threads of a block */
  int threads;                         /* of a block */
  int shape;                           /* its place among the shapes in counters.c */
  unsigned flags;
  int device;
  cudaError_t error; /* set: no further block starts */
  int overdue;       /* its time is over: 1, and that was said: 2 */
  uint64_t number;   /* set by blocks/watch.c: of all launches */
  const struct op *op;
  bool idle; /* no block runs (cucc_without) */
};

/* A cooperative launch's blocks wait for each other. */
#define CUCC_COOPERATIVE 1u
#define CUCC_RETURNS     2u /* include/cucc/launch.h */
/* A copy that has not run yet. */
struct launch *launch_clone(const struct launch *launch);
void launch_free(struct launch *launch);

#endif
