/*
 * baselines.h: what lesson05's functions are timed against. The harness's own code, not the learner's; each
 * takes the case of the task that it stands beside and does the same work on the same arrays.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where a case's arrays and sizes are, for all tasks of this lesson: the driver's tables keep to it. */
enum { H_IN, H_OUT, D_WORK };
enum {
  N,
  ROUNDS,
  CHUNK,
  LANES
}; /* LANES: streams, or staging buffers; the first few, where a task has fewer */

/* The case's chunks in one stream that is created and destroyed inside, as process_chunks does. Returns a
 * CUDA status, as all of these. */
int one_stream_call(const wb_case *c);

/* The case's chunks in LANES streams that were created once and are never destroyed: what is left is copies,
 * kernels, and the time to queue them. */
int overlap_limit_call(const wb_case *c);

/* The same for process_tuned, which chooses its chunks: of 4, 8, 16 and 32 chunks in four streams, the number
 * that was fastest for this n and these rounds when they came for the first time. */
int tuned_limit_call(const wb_case *c);

/* The case's batches through LANES pinned buffers, allocated inside as process_batches does; the streams
 * stay. */
int staged_call(const wb_case *c);

/* cudaMemcpy in, kernel, cudaMemcpy out, batch by batch, from and to the pageable arrays themselves. */
int plain_copies_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
