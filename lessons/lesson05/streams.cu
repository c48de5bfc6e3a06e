/*
 * lesson05, streams: copies and kernels at the same time.
 *
 * A GPU has separate engines: one that copies in, one that copies out, and the multiprocessors that run
 * kernels. A stream is a queue whose operations run one after another; operations in different streams may
 * run at the same time, each on its engine. So we divide the data into chunks and keep three of them in three
 * different states: one being copied in, one in the kernel, one being copied out.
 *
 * streams.h says what each function must do. h_ is host memory, d_ device memory; sizes in elements unless
 * named bytes.
 */
#include "streams.h"
#include <string.h>

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256

/* The work itself is given: every thread scrambles one element in place. It is lesson02's kernel with another
 * body. */
__global__ void scramble_kernel(uint32_t *d_x, size_t count, int rounds) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_x[i] = scramble(d_x[i], rounds);
}

/* n / d, rounded up. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Several calls may fail, but a function returns only one error: the first. */
static cudaError_t first_error(cudaError_t a, cudaError_t b) { return a ? a : b; }

/*
 * Queues one chunk in a stream: copy h_in to d_chunk, run the kernel on it, copy d_chunk to h_out. Returns at
 * once, before any of these operations is done.
 */
static cudaError_t queue_chunk(const uint32_t *h_in, uint32_t *h_out, uint32_t *d_chunk, size_t count,
                               int rounds, cudaStream_t stream) {
  /* TODO task 1: cudaMemcpyAsync; the kernel, with the stream as its fourth launch parameter;
   * cudaMemcpyAsync. */
  return cudaSuccess;
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  /* TODO task 1: create a stream, queue every chunk in it, wait for it once, destroy it. At present only
   * the first chunk is queued, in the default stream, and nothing waits for it. */
  return first_error(queue_chunk(h_in, h_out, d_work, smaller(chunk, n), rounds, 0), cudaSuccess);
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  /* TODO task 2: as task 1, with the chunks given to the streams in turn: 0, 1, 2 ..., 0, 1, 2 ...
   * Which part of d_work belongs to which stream? */
  return cudaSuccess;
}

/* TODO task 3: what belongs to one staging buffer? Its memory, its stream, its event, and the batch that it
 * holds. */

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  /* TODO task 3: for each batch take the next buffer in turn. If a batch is still in it, wait for its event
   * and copy the result to h_out. Then fill it, queue it, record its event. Finally collect all batches that
   * are still in a buffer. */
  return cudaSuccess;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  /* TODO go further: which chunk size, how many streams? Small chunks fill the pipeline sooner, but each of
   * them costs a little. */
  return cudaSuccess;
}
