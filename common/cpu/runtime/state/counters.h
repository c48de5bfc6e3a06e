#ifndef CUCC_STATE_COUNTERS_H
#define CUCC_STATE_COUNTERS_H

#include "base/base.h"
#include "base/text.h"

struct launch;
struct op;

enum counter {
  COUNT_DEVICE_ALLOCATIONS,
  COUNT_STREAM_ALLOCATIONS, /* those of them by cudaMallocAsync and its kind */
  COUNT_PINNED_ALLOCATIONS, /* and registrations */
  COUNT_REGISTRATIONS,
  COUNT_STREAMS,
  COUNT_EVENTS,
  COUNT_SYNCHRONISATIONS, /* and queries that found the work done: polling waits, too */
  COUNT_DEVICE_SYNCHRONISATIONS,
  COUNT_BLOCKING_COPIES, /* copies that the host waited for */
  COUNT_FILLS_OF_ONES,   /* memsets of bytes 0xff, without a harness's own */
  COUNT_HOST_FUNCTIONS,
  COUNT_PINNED_BYTES,
  COUNT_LARGEST_REGISTRATION,
  COUNT_FREED_WHILE_COPIED, /* pinned memory that was freed before the host had waited for its last copy */
  COUNT_GIVEN_CALLS,        /* of device functions that a lesson's header gives, while accesses are counted */
  COUNT_GIVEN_CALLERS,
  COUNT_COMPILATIONS,    /* texts given to NVRTC */
  COUNT_MODULES,         /* loads of modules */
  COUNT_MODULE_LAUNCHES, /* of kernels of modules */
  COUNT_HANDLES,         /* of cuBLAS that were created */
  COUNT_LIBRARY_CALLS,   /* that queued work: products, collectives */
  COUNT_LIBRARY_READ_BYTES,
  COUNT_TF32_CALLS,              /* of cuBLAS, with TF32 inputs */
  COUNT_LIBRARY_MULTIPLICATIONS, /* of two numbers, in products of matrices by cuBLAS */
  COUNT_TF32_MULTIPLICATIONS,    /* those of them with TF32 inputs */
  COUNT_TENSOR_PRODUCTS,         /* of tiles, a warp each time */
  COUNT_OPERATIONS,              /* kernels, calls of libraries, copies, memsets */
  COUNT_GRAPH_OPERATIONS,        /* those of them that graphs queued */
  COUNT_GRAPH_LAUNCHES,
  COUNT_DEFAULT_OPERATIONS,  /* those in the default stream ... */
  COUNT_BLOCKING_OPERATIONS, /* ... and in blocking streams, which wait for it as it waits for them */
  COUNT_LAUNCH_STREAMS,      /* streams that had their first launch */
  COUNT_PAGEABLE_COPIES,     /* between the device and pageable memory */
  COUNT_COPIES_BACK,         /* from a device to the host */
  COUNT_COPIED_BYTES,        /* between the device and the host */
  COUNT_LONGEST_RUN,         /* of launches, before one at which the host had waited for all work so far */
  COUNT_WHOLE_ATOMICS, /* of whole numbers in global memory, counted likewise: no order changes their result */
  COUNTERS
};
void count(enum counter which);
void count_more(enum counter which, uint64_t by);
uint64_t count_now(enum counter which);
void count_largest(enum counter which, uint64_t value);
/* Whether the host's calls are a harness's own from now on: what they fill is not what a program fills. */
void counters_own_calls(int are_own);
/* An operation was queued. With cucc.lock held. */
void count_operation(const struct op *op);
/* A thread of the launch called the function that a header gives. */
void count_given_call(const struct launch *launch);
/* The work of a library, op's, reads or writes so many bytes of device memory. */
void count_touched(const struct op *op, size_t bytes, bool writes);
void counters_reset(void);
/* Begins the object of cucc_counters_json; live_bytes: of device memory. With cucc.lock held. */
void counters_json(wb_text *t, size_t live_bytes);
/* Adds a line for each way of copying that was used. */
void count_copies_text(wb_text *t);

#endif
