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
  // #region task-1
  //: /* TODO task 1: cudaMemcpyAsync; the kernel, with the stream as its fourth launch parameter;
  //:  * cudaMemcpyAsync. */
  //: return cudaSuccess;
  const size_t size_bytes = count * sizeof(uint32_t);
  cudaError_t error = cudaMemcpyAsync(d_chunk, h_in, size_bytes, cudaMemcpyHostToDevice, stream);
  if (!error) {
    scramble_kernel<<<ceil_div(count, THREADS), THREADS, 0, stream>>>(d_chunk, count, rounds);
    error = cudaGetLastError();
  }
  if (!error) error = cudaMemcpyAsync(h_out, d_chunk, size_bytes, cudaMemcpyDeviceToHost, stream);
  return error;
  // #endregion task-1
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  // #region task-1
  //: /* TODO task 1: create a stream, queue every chunk in it, wait for it once, destroy it. At present only
  //:  * the first chunk is queued, in the default stream, and nothing waits for it. */
  //: return first_error(queue_chunk(h_in, h_out, d_work, smaller(chunk, n), rounds, 0), cudaSuccess);
  cudaStream_t stream;
  cudaError_t error = cudaStreamCreate(&stream);
  if (error) return error;
  /* All chunks use the same device memory. That is safe: operations in a stream run in order, so a chunk is
   * copied in only after the previous one has been copied out. */
  for (size_t first = 0; first < n && !error; first += chunk)
    error = queue_chunk(h_in + first, h_out + first, d_work, smaller(chunk, n - first), rounds, stream);
  /* Wait after an error too: copies that are in progress still write into the caller's h_out. */
  error = first_error(error, cudaStreamSynchronize(stream));
  return first_error(error, cudaStreamDestroy(stream));
  // #endregion task-1
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  // #region task-2
  //: /* TODO task 2: as task 1, with the chunks given to the streams in turn: 0, 1, 2 ..., 0, 1, 2 ...
  //:  * Which part of d_work belongs to which stream? */
  //: return cudaSuccess;
  cudaStream_t stream[MAX_STREAMS];
  cudaError_t error = cudaSuccess;
  int made = 0;
  while (made < streams && !error) {
    error = cudaStreamCreate(&stream[made]);
    if (!error) made++;
  }
  /* Each stream has its own chunk of d_work. Operations in different streams are not ordered, so two streams
   * in the same memory would overwrite each other's data. */
  int s = 0;
  for (size_t first = 0; first < n && !error; first += chunk) {
    const size_t count = smaller(chunk, n - first);
    error = queue_chunk(h_in + first, h_out + first, d_work + s * chunk, count, rounds, stream[s]);
    s = (s + 1) % streams;
  }
  /* One wait for each stream, after all is queued. A wait inside the loop above would stop the queueing, and
   * with it the overlap. */
  for (int k = 0; k < made; k++) {
    error = first_error(error, cudaStreamSynchronize(stream[k]));
    error = first_error(error, cudaStreamDestroy(stream[k]));
  }
  return error;
  // #endregion task-2
}

// #region task-3
//: /* TODO task 3: what belongs to one staging buffer? Its memory, its stream, its event, and the batch that it
//:  * holds. */
/*
 * One staging buffer with everything that belongs to it. A batch goes
 *     h_in -> h_stage -> d_batch -> kernel -> d_batch -> h_stage -> h_out
 * where the host does the first and the last step and the stream those between.
 */
typedef struct slot {
  uint32_t *h_stage, *d_batch; /* pinned, and its part of d_work */
  cudaStream_t stream;
  cudaEvent_t done;    /* recorded after the batch's last copy */
  size_t first, count; /* the batch in the buffer; count 0: the buffer is free */
} slot;

static cudaError_t open_slot(slot *s, uint32_t *d_batch, size_t batch) {
  s->d_batch = d_batch;
  cudaError_t error = cudaMallocHost(&s->h_stage, batch * sizeof(uint32_t));
  if (!error) error = cudaStreamCreate(&s->stream);
  /* Without timing an event is cheaper to record; we only want to wait for it. */
  if (!error) error = cudaEventCreateWithFlags(&s->done, cudaEventDisableTiming);
  return error;
}

/* Releases everything that open_slot created; what it did not create is still NULL. */
static cudaError_t close_slot(slot *s) {
  cudaError_t error = cudaSuccess;
  if (s->done) error = first_error(error, cudaEventDestroy(s->done));
  if (s->stream) error = first_error(error, cudaStreamDestroy(s->stream));
  if (s->h_stage) error = first_error(error, cudaFreeHost(s->h_stage));
  return error;
}

/* Waits until the slot's batch is back in the staging buffer, copies it to h_out, and frees the slot. */
static cudaError_t collect_batch(slot *s, uint32_t *h_out) {
  if (s->count == 0) return cudaSuccess;
  const cudaError_t error = cudaEventSynchronize(s->done);
  if (!error) memcpy(h_out + s->first, s->h_stage, s->count * sizeof(uint32_t));
  s->count = 0;
  return error;
}

/* Fills the free slot's staging buffer with a batch and queues it; does not wait for it. */
static cudaError_t send_batch(slot *s, const uint32_t *h_in, size_t first, size_t count, int rounds) {
  memcpy(s->h_stage, h_in + first, count * sizeof(uint32_t));
  s->first = first;
  s->count = count;
  const cudaError_t error = queue_chunk(s->h_stage, s->h_stage, s->d_batch, count, rounds, s->stream);
  /* Recorded even after an error, so that collect_batch waits for everything that was queued. */
  return first_error(error, cudaEventRecord(s->done, s->stream));
}
// #endregion task-3

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  // #region task-3
  //: /* TODO task 3: for each batch take the next buffer in turn. If a batch is still in it, wait for its event
  //:  * and copy the result to h_out. Then fill it, queue it, record its event. Finally collect all batches that
  //:  * are still in a buffer. */
  //: return cudaSuccess;
  if (n == 0) return cudaSuccess;
  slot slots[MAX_STREAMS] = {};
  cudaError_t error = cudaSuccess;
  for (int b = 0; b < buffers && !error; b++)
    error = open_slot(&slots[b], d_work + b * batch, smaller(batch, n));

  int b = 0;
  for (size_t first = 0; first < n && !error; first += batch) {
    error = collect_batch(&slots[b], h_out); /* the only wait: until this buffer's last batch is back */
    if (!error) error = send_batch(&slots[b], h_in, first, smaller(batch, n - first), rounds);
    b = (b + 1) % buffers;
  }
  for (int k = 0; k < buffers; k++) { /* the last batches; after an error too: the device may still write */
    error = first_error(error, collect_batch(&slots[k], h_out));
    error = first_error(error, close_slot(&slots[k]));
  }
  return error;
  // #endregion task-3
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  // #region task-further
  //: /* TODO go further: which chunk size, how many streams? Small chunks fill the pipeline sooner, but each of
  //:  * them costs a little. */
  //: return cudaSuccess;
  /* Before the first kernel can start, a chunk must be copied in, and after the last one a chunk must be
   * copied out: with k chunks nothing overlaps during 2/k of a copy. Each chunk also costs the start of two
   * copies and a kernel, some microseconds, so chunks below about a megabyte lose more than they gain. */
  const size_t chunks = 16, least = 1 << 18;
  size_t chunk = (n + chunks - 1) / chunks;
  if (chunk < least) chunk = smaller(least, n);
  /* Three chunks are in progress at a time: one being copied in, one in the kernel, one being copied out. A
   * fourth stream lets the next chunk start without waiting for one of them to finish. */
  int streams = 4;
  while (streams > 1 && streams * chunk > n) streams--; /* d_work has room for n elements */
  return process_streams(h_in, h_out, n, d_work, chunk, streams, rounds);
  // #endregion task-further
}
