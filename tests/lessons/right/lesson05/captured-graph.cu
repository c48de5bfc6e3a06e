/*
 * Right: the work is recorded as CUDA graphs and launched. Tasks 1 and 2 capture all chunks into one graph,
 * which forks into the streams and joins again by events. In task 3 each buffer has a graph that is made once
 * and launched for every whole batch; its addresses never change. The last, shorter batch is queued plainly.
 */
#include "streams.h"
#include <string.h>

__global__ void work(uint32_t *d_x, size_t count, int rounds) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_x[i] = scramble(d_x[i], rounds);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Keeps the first error of several. */
static void keep(cudaError_t *error, cudaError_t next) {
  if (!*error) *error = next;
}

static cudaError_t there_and_back(const uint32_t *h_in, uint32_t *h_out, uint32_t *d_x, size_t count,
                                  int rounds, cudaStream_t s) {
  cudaError_t error = cudaMemcpyAsync(d_x, h_in, 4 * count, cudaMemcpyDefault, s);
  if (!error) work<<<(unsigned)((count + 127) / 128), 128, 0, s>>>(d_x, count, rounds);
  keep(&error, cudaGetLastError());
  if (!error) error = cudaMemcpyAsync(h_out, d_x, 4 * count, cudaMemcpyDefault, s);
  return error;
}

/* Ends the capture in s and makes the graph ready. The recorded graph is not needed any longer then. */
static cudaError_t finish(cudaStream_t s, cudaGraphExec_t *ready) {
  cudaGraph_t graph = NULL;
  cudaError_t error = cudaStreamEndCapture(s, &graph);
  if (!error) error = cudaGraphInstantiate(ready, graph, 0);
  if (graph) keep(&error, cudaGraphDestroy(graph));
  return error;
}

/* Records all chunks: from stream 0 into the others, and back into stream 0. */
static cudaError_t record(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                          int streams, int rounds, const cudaStream_t *s, cudaEvent_t e) {
  cudaError_t error = cudaStreamBeginCapture(s[0], cudaStreamCaptureModeThreadLocal);
  keep(&error, cudaEventRecord(e, s[0]));
  for (int k = 1; k < streams; k++) keep(&error, cudaStreamWaitEvent(s[k], e, 0));
  for (size_t c = 0; c * chunk < n; c++) {
    const size_t first = c * chunk, k = c % streams;
    keep(&error, there_and_back(h_in + first, h_out + first, d_work + k * chunk, least(chunk, n - first),
                                rounds, s[k]));
  }
  for (int k = 1; k < streams; k++) {
    keep(&error, cudaEventRecord(e, s[k]));
    keep(&error, cudaStreamWaitEvent(s[0], e, 0));
  }
  return error;
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  if (n == 0) return cudaSuccess;
  cudaStream_t s[MAX_STREAMS] = {};
  cudaEvent_t e = NULL;
  cudaGraphExec_t ready = NULL;
  cudaError_t error = cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  for (int k = 0; k < streams; k++) keep(&error, cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking));
  if (!error) {
    error = record(h_in, h_out, n, d_work, chunk, streams, rounds, s, e);
    keep(&error, finish(s[0], &ready));
  }
  if (!error) error = cudaGraphLaunch(ready, s[0]);
  keep(&error, cudaStreamSynchronize(s[0]));
  if (ready) keep(&error, cudaGraphExecDestroy(ready));
  for (int k = 0; k < streams; k++)
    if (s[k]) keep(&error, cudaStreamDestroy(s[k]));
  if (e) keep(&error, cudaEventDestroy(e));
  return error;
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  return process_streams(h_in, h_out, n, d_work, chunk, 1, rounds);
}

struct buffer {
  uint32_t *h_stage, *d_batch;
  cudaStream_t s;
  cudaGraphExec_t whole; /* the way of a whole batch */
  size_t first, count;
};

static cudaError_t open_buffer(buffer *b, uint32_t *d_batch, size_t batch, int rounds) {
  b->d_batch = d_batch;
  cudaError_t error = cudaHostAlloc(&b->h_stage, 4 * batch, cudaHostAllocDefault);
  keep(&error, cudaStreamCreateWithFlags(&b->s, cudaStreamNonBlocking));
  if (error) return error;
  error = cudaStreamBeginCapture(b->s, cudaStreamCaptureModeRelaxed);
  keep(&error, there_and_back(b->h_stage, b->h_stage, d_batch, batch, rounds, b->s));
  keep(&error, finish(b->s, &b->whole));
  return error;
}

static cudaError_t empty_buffer(buffer *b, uint32_t *h_out) {
  const cudaError_t error = cudaStreamSynchronize(b->s);
  memcpy(h_out + b->first, b->h_stage, 4 * b->count);
  b->count = 0;
  return error;
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  if (n == 0) return cudaSuccess;
  buffer b[MAX_STREAMS] = {};
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < buffers; k++) keep(&error, open_buffer(&b[k], d_work + k * batch, batch, rounds));
  for (size_t c = 0; c * batch < n && !error; c++) {
    buffer *mine = &b[c % buffers];
    error = empty_buffer(mine, h_out);
    mine->first = c * batch;
    mine->count = least(batch, n - mine->first);
    memcpy(mine->h_stage, h_in + mine->first, 4 * mine->count);
    keep(&error, mine->count == batch ? cudaGraphLaunch(mine->whole, mine->s)
                                      : there_and_back(mine->h_stage, mine->h_stage, mine->d_batch,
                                                       mine->count, rounds, mine->s));
  }
  for (int k = 0; k < buffers; k++) {
    keep(&error, empty_buffer(&b[k], h_out));
    if (b[k].whole) keep(&error, cudaGraphExecDestroy(b[k].whole));
    if (b[k].s) keep(&error, cudaStreamDestroy(b[k].s));
    keep(&error, cudaFreeHost(b[k].h_stage));
  }
  return error;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  return process_streams(h_in, h_out, n, d_work, n / 8 + 1, n < 64 ? 1 : 4, rounds);
}
