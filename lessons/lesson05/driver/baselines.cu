/*
 * baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured.
 *
 * The lesson's functions get their device memory from the caller, and so do the baselines: no allocation is
 * timed on either side. one-stream creates its stream as the learner's functions must; the limits keep
 * theirs, so the cost of creating streams is part of the learner's distance to the limit.
 */
#include "baselines.h"
#include "streams.h"
#include <string.h>
#include <time.h>

#define THREADS 256

/* One case, with the types of streams.h. */
typedef struct job {
  const uint32_t *h_in;
  uint32_t *h_out, *d_work;
  size_t n, chunk;
  int streams, rounds;
} job;

static job job_of(const wb_case *c) {
  return (job){(const uint32_t *)c->array[H_IN],
               (uint32_t *)c->array[H_OUT],
               (uint32_t *)c->array[D_WORK],
               c->size.n[N],
               c->size.n[CHUNK],
               (int)c->size.n[STREAMS],
               (int)c->size.n[ROUNDS]};
}

static __global__ void work_kernel(uint32_t *d_x, size_t count, int rounds) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_x[i] = scramble(d_x[i], rounds);
}

static cudaError_t launch(uint32_t *d_x, size_t count, int rounds, cudaStream_t stream) {
  work_kernel<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS, 0, stream>>>(d_x, count, rounds);
  return cudaGetLastError();
}

/* Queues all chunks of the job, in turn into stream[0 .. streams-1]. Each stream has its own part of
 * d_work. */
static cudaError_t queue(const job *j, const cudaStream_t *stream) {
  cudaError_t error = cudaSuccess;
  int s = 0;
  for (size_t first = 0; first < j->n && !error; first += j->chunk, s = (s + 1) % j->streams) {
    const size_t count = j->n - first < j->chunk ? j->n - first : j->chunk, bytes = count * sizeof(uint32_t);
    uint32_t *d_x = j->d_work + s * j->chunk;
    error = cudaMemcpyAsync(d_x, j->h_in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
    if (!error) error = launch(d_x, count, j->rounds, stream[s]);
    if (!error) error = cudaMemcpyAsync(j->h_out + first, d_x, bytes, cudaMemcpyDeviceToHost, stream[s]);
  }
  return error;
}

static cudaError_t wait_for(const cudaStream_t *stream, int streams) {
  cudaError_t error = cudaSuccess;
  for (int s = 0; s < streams; s++) {
    const cudaError_t finished = cudaStreamSynchronize(stream[s]);
    if (!error) error = finished;
  }
  return error;
}

int one_stream_call(const wb_case *c) {
  job j = job_of(c);
  j.streams = 1;
  cudaStream_t only;
  cudaError_t error = cudaStreamCreate(&only);
  if (error) return error;
  error = queue(&j, &only);
  const cudaError_t finished = wait_for(&only, 1), destroyed = cudaStreamDestroy(only);
  return error ? error : finished ? finished : destroyed;
}

/* Streams that exist as long as the process; new ones are created as needed. */
static cudaStream_t kept_stream[MAX_STREAMS];

static cudaError_t keep_streams(int wanted) {
  static int made = 0;
  for (; made < wanted; made++) {
    const cudaError_t error = cudaStreamCreateWithFlags(&kept_stream[made], cudaStreamNonBlocking);
    if (error) return error;
  }
  return cudaSuccess;
}

/* Queues the job into the kept streams, and waits for them. */
static cudaError_t pipeline(const job *j) {
  cudaError_t error = keep_streams(j->streams);
  if (error) return error;
  error = queue(j, kept_stream);
  const cudaError_t finished = wait_for(kept_stream, j->streams);
  return error ? error : finished;
}

int overlap_limit_call(const wb_case *c) {
  const job j = job_of(c);
  return pipeline(&j);
}

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* The number of chunks among 4, 8, 16, 32 with which the job is fastest: the best of five runs of each. */
static cudaError_t best_chunks(job j, size_t *best) {
  double best_ms = 1e30;
  for (size_t chunks = 4; chunks <= 32; chunks *= 2) {
    j.chunk = (j.n + chunks - 1) / chunks;
    for (int run = 0; run < 5; run++) {
      const double start_ms = now_ms();
      const cudaError_t error = pipeline(&j);
      if (error) return error;
      const double took_ms = now_ms() - start_ms;
      if (took_ms >= best_ms) continue;
      best_ms = took_ms;
      *best = chunks;
    }
  }
  return cudaSuccess;
}

int tuned_limit_call(const wb_case *c) {
  static size_t chunks, for_n;
  static int for_rounds;
  job j = job_of(c);
  j.streams = 4;
  if (j.n == 0) return cudaSuccess;
  if (for_n != j.n || for_rounds != j.rounds) { /* the first call, which is a warm-up */
    const cudaError_t error = best_chunks(j, &chunks);
    if (error) return error;
    for_n = j.n;
    for_rounds = j.rounds;
  }
  j.chunk = (j.n + chunks - 1) / chunks; /* 4 streams of at most a quarter of n each: d_work holds them */
  return pipeline(&j);
}

int plain_copies_call(const wb_case *c) {
  const job j = job_of(c);
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < j.n && !error; first += j.chunk) {
    const size_t count = j.n - first < j.chunk ? j.n - first : j.chunk, bytes = count * sizeof(uint32_t);
    error = cudaMemcpy(j.d_work, j.h_in + first, bytes, cudaMemcpyHostToDevice);
    if (!error) error = launch(j.d_work, count, j.rounds, 0);
    if (!error) error = cudaMemcpy(j.h_out + first, j.d_work, bytes, cudaMemcpyDeviceToHost);
  }
  return error;
}

/* Batch k of the job: takes batch k - buffers out of its part of h_pinned, then puts batch k in and queues
 * it. */
static cudaError_t staged_turn(const job *j, uint32_t *h_pinned, size_t k) {
  const size_t buffers = (size_t)j->streams, b = k % buffers, from = k * j->chunk;
  uint32_t *h_part = h_pinned + b * j->chunk, *d_part = j->d_work + b * j->chunk;
  cudaError_t error = cudaStreamSynchronize(kept_stream[b]);
  if (error) return error;
  if (k >= buffers && from - buffers * j->chunk < j->n) {
    const size_t before = from - buffers * j->chunk, left = j->n - before;
    memcpy(j->h_out + before, h_part, (left < j->chunk ? left : j->chunk) * sizeof(uint32_t));
  }
  if (from >= j->n) return cudaSuccess;
  const size_t left = j->n - from;
  job one = {h_part, h_part, d_part, left < j->chunk ? left : j->chunk, j->chunk, 1, j->rounds};
  memcpy(h_part, j->h_in + from, one.n * sizeof(uint32_t));
  return queue(&one, &kept_stream[b]);
}

int staged_call(const wb_case *c) {
  const job j = job_of(c);
  if (j.n == 0) return cudaSuccess;
  const size_t turns = (j.n + j.chunk - 1) / j.chunk + (size_t)j.streams;
  uint32_t *h_pinned = NULL;
  cudaError_t error = keep_streams(j.streams);
  if (!error) error = cudaMallocHost(&h_pinned, (size_t)j.streams * j.chunk * sizeof(uint32_t));
  for (size_t k = 0; k < turns && !error; k++) error = staged_turn(&j, h_pinned, k);
  const cudaError_t finished = wait_for(kept_stream, error ? j.streams : 0), freed = cudaFreeHost(h_pinned);
  return error ? error : finished ? finished : freed;
}
