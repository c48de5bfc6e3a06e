/*
 * Right: staging memory that is mapped and write-combined, so that the kernel itself fetches a batch over the
 * link and only the way back is a copy, in a second stream of higher priority after an event. Device memory
 * in addition to d_work comes from the stream's pool. Copies of task 1 are rows of a two-dimensional copy, and all
 * waiting is for an event in the default stream, which follows all that is in blocking streams.
 */
#include "streams.h"
#include <string.h>

#define TRY(call)                                                                                            \
  do {                                                                                                       \
    const cudaError_t tried = (call);                                                                        \
    if (!error) error = tried;                                                                               \
  } while (0)

__global__ void fetch_and_work(const uint32_t *from, uint32_t *d_to, size_t count, int rounds) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_to[i] = scramble(from[i], rounds);
}

/* A mark in the default stream comes after all that was queued in blocking streams before. */
static cudaError_t wait_for_all() {
  cudaError_t error = cudaSuccess;
  cudaEvent_t all;
  TRY(cudaEventCreate(&all));
  if (error) return error;
  TRY(cudaEventRecord(all, cudaStreamLegacy));
  TRY(cudaEventSynchronize(all));
  TRY(cudaEventDestroy(all));
  return error;
}

static unsigned blocks(size_t count) { return (unsigned)(count / 192 + 1); }

/* One row of `count` words. */
static cudaError_t copy_row(void *to, const void *from, size_t count, cudaMemcpyKind kind, cudaStream_t s) {
  return cudaMemcpy2DAsync(to, 4 * count, from, 4 * count, 4 * count, 1, kind, s);
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  cudaError_t error = cudaSuccess;
  cudaStream_t s;
  uint32_t *d_result = NULL;
  TRY(cudaStreamCreate(&s));
  if (error) return error;
  TRY(cudaMallocAsync(&d_result, 4 * chunk, s));
  for (size_t at = 0; at < n && !error; at += chunk) {
    const size_t count = n - at < chunk ? n - at : chunk;
    TRY(copy_row(d_work, h_in + at, count, cudaMemcpyHostToDevice, s));
    fetch_and_work<<<blocks(count), 192, 0, s>>>(d_work, d_result, count, rounds);
    TRY(cudaGetLastError());
    TRY(copy_row(h_out + at, d_result, count, cudaMemcpyDeviceToHost, s));
  }
  if (d_result) TRY(cudaFreeAsync(d_result, s));
  TRY(wait_for_all());
  TRY(cudaStreamDestroy(s));
  return error;
}

/* Two streams a lane: one that works, and a more urgent one that carries the result away. */
struct lane {
  cudaStream_t work, home;
  cudaEvent_t worked, gone;
};

static cudaError_t open_lane(lane *l) {
  cudaError_t error = cudaSuccess;
  int least, greatest;
  TRY(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  TRY(cudaStreamCreateWithPriority(&l->work, cudaStreamDefault, least));
  TRY(cudaStreamCreateWithPriority(&l->home, cudaStreamDefault, greatest));
  TRY(cudaEventCreateWithFlags(&l->worked, cudaEventDisableTiming));
  TRY(cudaEventCreateWithFlags(&l->gone, cudaEventDisableTiming | cudaEventBlockingSync));
  return error;
}

static cudaError_t close_lane(lane *l) {
  cudaError_t error = cudaSuccess;
  if (l->worked) TRY(cudaEventDestroy(l->worked));
  if (l->gone) TRY(cudaEventDestroy(l->gone));
  if (l->work) TRY(cudaStreamDestroy(l->work));
  if (l->home) TRY(cudaStreamDestroy(l->home));
  return error;
}

/* from: memory that the device can read, wherever it is. */
static cudaError_t send(lane *l, const uint32_t *from, uint32_t *h_out, uint32_t *d_x, size_t count,
                        int rounds) {
  cudaError_t error = cudaSuccess;
  TRY(cudaStreamWaitEvent(l->work, l->gone, 0)); /* d_x is free again */
  fetch_and_work<<<blocks(count), 192, 0, l->work>>>(from, d_x, count, rounds);
  TRY(cudaGetLastError());
  TRY(cudaEventRecord(l->worked, l->work));
  TRY(cudaStreamWaitEvent(l->home, l->worked, 0));
  TRY(cudaMemcpyAsync(h_out, d_x, 4 * count, cudaMemcpyDeviceToHost, l->home));
  TRY(cudaEventRecord(l->gone, l->home));
  return error;
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  cudaError_t error = cudaSuccess;
  lane lanes[MAX_STREAMS] = {};
  uint32_t *from = NULL; /* pinned memory, as the device sees it */
  if (n > 0) TRY(cudaHostGetDevicePointer(&from, (void *)h_in, 0));
  for (int k = 0; k < streams; k++) TRY(open_lane(&lanes[k]));
  for (size_t c = 0; c * chunk < n && !error; c++) {
    const size_t at = c * chunk, k = c % streams, count = n - at < chunk ? n - at : chunk;
    TRY(send(&lanes[k], from + at, h_out + at, d_work + k * chunk, count, rounds));
  }
  TRY(wait_for_all());
  for (int k = 0; k < streams; k++) TRY(close_lane(&lanes[k]));
  return error;
}

/* A buffer has memory for each way: what comes is read by the kernel while the last result still leaves. */
static cudaError_t run_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work,
                               size_t batch, int buffers, int rounds, lane *lanes, uint32_t *h_from,
                               uint32_t *h_to) {
  cudaError_t error = cudaSuccess;
  uint32_t *from = NULL;
  TRY(cudaHostGetDevicePointer(&from, h_from, 0));
  const size_t batches = (n + batch - 1) / batch;
  for (size_t b = 0; b < batches + buffers && !error; b++) {
    const size_t k = b % buffers, at = b * batch, old = at - buffers * batch;
    if (b >= (size_t)buffers && old < n) {
      TRY(cudaEventSynchronize(lanes[k].gone));
      memcpy(h_out + old, h_to + k * batch, 4 * (n - old < batch ? n - old : batch));
    }
    if (b >= batches) continue;
    const size_t count = n - at < batch ? n - at : batch;
    memcpy(h_from + k * batch, h_in + at, 4 * count);
    TRY(send(&lanes[k], from + k * batch, h_to + k * batch, d_work + k * batch, count, rounds));
  }
  return error;
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  lane lanes[MAX_STREAMS] = {};
  uint32_t *h_from = NULL, *h_to = NULL;
  for (int k = 0; k < buffers; k++) TRY(open_lane(&lanes[k]));
  TRY(cudaHostAlloc(&h_from, 4 * batch * buffers, cudaHostAllocMapped | cudaHostAllocWriteCombined));
  TRY(cudaMallocHost(&h_to, 4 * batch * buffers));
  if (!error) error = run_batches(h_in, h_out, n, d_work, batch, buffers, rounds, lanes, h_from, h_to);
  TRY(wait_for_all());
  for (int k = 0; k < buffers; k++) TRY(close_lane(&lanes[k]));
  if (h_from) TRY(cudaFreeHost(h_from));
  if (h_to) TRY(cudaFreeHost(h_to));
  return error;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  return process_streams(h_in, h_out, n, d_work, n / 5 + 1, n < 50 ? 1 : 3, rounds);
}
