/*
 * baselines.h: the baselines of lesson05's functions. The harness's own code, not the learner's. Each takes
 * the case of the task that it is compared with and does the same work on the same arrays.
 */
#ifndef BASELINES_H
#define BASELINES_H

#include "wb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Indices of a case's arrays and sizes, for all tasks of this lesson: the driver's tables use this order. */
enum { H_IN, H_OUT, D_WORK };
/* CHUNK is also the batch size. STREAMS is the number of streams or of staging buffers. A task with fewer
 * sizes has the first ones. */
enum { N, ROUNDS, CHUNK, STREAMS };

/* The case's chunks in one stream that is created and destroyed inside, as process_chunks does. Returns a
 * CUDA status, as all of these. */
int one_stream_call(const wb_case *c);

/* The case's chunks in its streams, which were created once and are never destroyed: the time is that of
 * copies, kernels, and queueing them. */
int overlap_limit_call(const wb_case *c);

/* The same for process_tuned, which chooses its chunks: 4, 8, 16 or 32 chunks in four streams, the number
 * that was fastest at the first call with this n and these rounds. */
int tuned_limit_call(const wb_case *c);

/* The case's batches through pinned buffers that it allocates inside, as process_batches does. The streams
 * are kept from call to call. */
int staged_call(const wb_case *c);

/* cudaMemcpy in, kernel, cudaMemcpy out, batch by batch, from and to the pageable arrays themselves. */
int plain_copies_call(const wb_case *c);

#ifdef __cplusplus
}
#endif
#endif
