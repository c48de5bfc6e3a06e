/*
 * Right: whichever is ready comes next. The host asks all events by turns and takes the batch that is back,
 * so batches may leave in any order. Chunks grow: 1, 2, 3 parts of a chunk and then whole ones, so that the
 * pipeline fills sooner. Two streams do for any number of places, and events say when a place is free.
 */
#include "streams.h"
#include <string.h>

__global__ void work(uint32_t *d_x, uint32_t count, int rounds) {
  const uint32_t i = (uint32_t)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) d_x[i] = scramble(d_x[i], rounds);
}

static void keep(cudaError_t *error, cudaError_t next) {
  if (!*error) *error = next;
}

/* Room for a piece on the device. */
struct place {
  cudaEvent_t free;
  uint32_t *h_stage; /* only where batches are staged */
  size_t first, count;
};

static cudaError_t open_places(place *p, int places, size_t staged) {
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < places; k++) {
    p[k] = {};
    keep(&error, cudaEventCreateWithFlags(&p[k].free, cudaEventDisableTiming));
    if (staged) keep(&error, cudaMallocHost(&p[k].h_stage, 4 * staged));
  }
  return error;
}

static void close_places(place *p, int places) {
  for (int k = 0; k < places; k++) {
    if (p[k].free) cudaEventDestroy(p[k].free);
    if (p[k].h_stage) cudaFreeHost(p[k].h_stage);
  }
}

/* An event that was never recorded is ready at once. */
static int first_free(const place *p, int places, cudaError_t *error) {
  for (int k = 0;; k = (k + 1) % places) {
    const cudaError_t state = cudaEventQuery(p[k].free);
    if (state == cudaErrorNotReady) continue;
    *error = state;
    return k;
  }
}

static cudaError_t send(place *p, const uint32_t *h_in, uint32_t *h_out, uint32_t *d_x, size_t count,
                        int rounds, cudaStream_t s) {
  cudaError_t error = cudaMemcpyAsync(d_x, h_in, 4 * count, cudaMemcpyHostToDevice, s);
  if (!error) work<<<(unsigned)(count / 1024 + 1), 1024, 0, s>>>(d_x, (uint32_t)count, rounds);
  keep(&error, cudaGetLastError());
  if (!error) error = cudaMemcpyAsync(h_out, d_x, 4 * count, cudaMemcpyDeviceToHost, s);
  keep(&error, cudaEventRecord(p->free, s));
  return error;
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  cudaStream_t s[2] = {};
  place p[MAX_STREAMS];
  cudaError_t error = cudaStreamCreateWithFlags(&s[0], cudaStreamNonBlocking);
  keep(&error, cudaStreamCreateWithFlags(&s[1], cudaStreamNonBlocking));
  keep(&error, open_places(p, streams, 0));
  size_t at = 0;
  for (size_t c = 0; at < n && !error; c++) {
    const int k = (int)(c % streams);
    size_t count = c < 3 ? chunk * (c + 1) / 4 + 1 : chunk;
    if (count > chunk) count = chunk;
    if (count > n - at) count = n - at;
    error = cudaStreamWaitEvent(s[c % 2], p[k].free, 0); /* another stream may have used the place */
    keep(&error, send(&p[k], h_in + at, h_out + at, d_work + k * chunk, count, rounds, s[c % 2]));
    at += count;
  }
  for (cudaStream_t stream : s) {
    keep(&error, cudaStreamSynchronize(stream));
    if (stream) keep(&error, cudaStreamDestroy(stream));
  }
  close_places(p, streams);
  return error;
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  return process_streams(h_in, h_out, n, d_work, chunk, 1, rounds);
}

static void take(place *p, uint32_t *h_out) {
  memcpy(h_out + p->first, p->h_stage, 4 * p->count);
  p->count = 0;
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  if (n == 0) return cudaSuccess;
  cudaStream_t s[2] = {};
  place p[MAX_STREAMS];
  cudaError_t error = cudaStreamCreate(&s[0]);
  keep(&error, cudaStreamCreate(&s[1]));
  keep(&error, open_places(p, buffers, batch < n ? batch : n));
  /* The last batch first. */
  for (size_t c = (n - 1) / batch + 1; c-- > 0 && !error;) {
    const int k = first_free(p, buffers, &error);
    if (error) break;
    take(&p[k], h_out);
    p[k].first = c * batch;
    p[k].count = n - p[k].first < batch ? n - p[k].first : batch;
    memcpy(p[k].h_stage, h_in + p[k].first, 4 * p[k].count);
    error = send(&p[k], p[k].h_stage, p[k].h_stage, d_work + k * batch, p[k].count, rounds, s[c % 2]);
  }
  for (cudaStream_t stream : s) {
    keep(&error, cudaStreamSynchronize(stream));
    if (stream) keep(&error, cudaStreamDestroy(stream));
  }
  for (int k = 0; k < buffers; k++) take(&p[k], h_out);
  close_places(p, buffers);
  return error;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  return process_streams(h_in, h_out, n, d_work, n / 10 + 1, n < 100 ? 1 : 6, rounds);
}
