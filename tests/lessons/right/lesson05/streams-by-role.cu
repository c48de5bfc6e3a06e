/*
 * Right: three streams, one for each engine, tied together by events; a grid-stride kernel from a template;
 * tasks 1 and 2 share it. Task 3 has fewer streams than buffers, so only events can tell when a buffer is
 * free; its staging memory is registered, not allocated pinned.
 */
#include "streams.h"
#include <stdlib.h>
#include <string.h>

enum role { IN, WORK, OUT, ROLES };

template <int UNROLL> __global__ void work(uint32_t *d_x, size_t count, int rounds) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += (size_t)gridDim.x * blockDim.x * UNROLL)
    for (int u = 0; u < UNROLL; u++) {
      const size_t k = i + (size_t)u * gridDim.x * blockDim.x;
      if (k < count) d_x[k] = scramble(d_x[k], rounds);
    }
}

struct lines {
  cudaStream_t stream[ROLES];
  cudaEvent_t in[MAX_STREAMS], worked[MAX_STREAMS], out[MAX_STREAMS];
  int places;
};

static cudaError_t open_lines(struct lines *l, int places) {
  memset(l, 0, sizeof *l);
  l->places = places;
  for (int r = 0; r < ROLES; r++)
    if (cudaError_t e = cudaStreamCreateWithPriority(&l->stream[r], cudaStreamNonBlocking, 0)) return e;
  for (int p = 0; p < places; p++) {
    if (cudaError_t e = cudaEventCreateWithFlags(&l->in[p], cudaEventDisableTiming)) return e;
    if (cudaError_t e = cudaEventCreateWithFlags(&l->worked[p], cudaEventDisableTiming)) return e;
    if (cudaError_t e = cudaEventCreate(&l->out[p])) return e;
  }
  return cudaSuccess;
}

static void close_lines(struct lines *l) {
  for (int p = 0; p < l->places; p++) {
    if (l->in[p]) cudaEventDestroy(l->in[p]);
    if (l->worked[p]) cudaEventDestroy(l->worked[p]);
    if (l->out[p]) cudaEventDestroy(l->out[p]);
  }
  for (int r = 0; r < ROLES; r++)
    if (l->stream[r]) cudaStreamDestroy(l->stream[r]);
}

/* One chunk at place p. Waiting for an event that was never recorded is no wait at all. */
static cudaError_t send(struct lines *l, int p, const uint32_t *h_in, uint32_t *h_out, uint32_t *d_x,
                        size_t count, int rounds) {
  cudaStreamWaitEvent(l->stream[IN], l->out[p], 0); /* the place's last chunk has left the device */
  cudaMemcpyAsync(d_x, h_in, 4 * count, cudaMemcpyHostToDevice, l->stream[IN]);
  cudaEventRecord(l->in[p], l->stream[IN]);
  cudaStreamWaitEvent(l->stream[WORK], l->in[p], 0);
  work<2><<<8, 128, 0, l->stream[WORK]>>>(d_x, count, rounds);
  cudaEventRecord(l->worked[p], l->stream[WORK]);
  cudaStreamWaitEvent(l->stream[OUT], l->worked[p], 0);
  cudaMemcpyAsync(h_out, d_x, 4 * count, cudaMemcpyDeviceToHost, l->stream[OUT]);
  cudaEventRecord(l->out[p], l->stream[OUT]);
  return cudaGetLastError();
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  struct lines l;
  cudaError_t error = open_lines(&l, streams);
  for (size_t c = 0; c * chunk < n && !error; c++) {
    const int p = (int)(c % streams);
    const size_t first = c * chunk, count = n - first < chunk ? n - first : chunk;
    error = send(&l, p, h_in + first, h_out + first, d_work + p * chunk, count, rounds);
  }
  const cudaError_t last = cudaStreamSynchronize(l.stream[OUT]); /* all that goes out has come in before */
  close_lines(&l);
  return error ? error : last;
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  for (size_t first = 0; first < n; first += chunk) {
    const size_t count = n - first < chunk ? n - first : chunk;
    cudaMemcpyAsync(d_work, h_in + first, 4 * count, cudaMemcpyHostToDevice, cudaStreamPerThread);
    work<1><<<3, 96, 0, cudaStreamPerThread>>>(d_work, count, rounds);
    cudaMemcpyAsync(h_out + first, d_work, 4 * count, cudaMemcpyDeviceToHost, cudaStreamPerThread);
    if (cudaError_t e = cudaGetLastError()) return e;
  }
  return cudaStreamSynchronize(cudaStreamPerThread);
}

static cudaError_t run_batches(struct lines *l, uint32_t *h_stage, const uint32_t *h_in, uint32_t *h_out,
                               size_t n, uint32_t *d_work, size_t batch, int buffers, int rounds) {
  const size_t batches = (n + batch - 1) / batch;
  for (size_t b = 0; b < batches + buffers; b++) {
    const int p = (int)(b % buffers);
    uint32_t *mine = h_stage + p * batch;
    if (b >= (size_t)buffers && b - buffers < batches) {
      const size_t first = (b - buffers) * batch;
      if (cudaError_t e = cudaEventSynchronize(l->out[p])) return e;
      memcpy(h_out + first, mine, 4 * (n - first < batch ? n - first : batch));
    }
    if (b < batches) {
      const size_t first = b * batch, count = n - first < batch ? n - first : batch;
      memcpy(mine, h_in + first, 4 * count);
      if (cudaError_t e = send(l, p, mine, mine, d_work + p * batch, count, rounds)) return e;
    }
  }
  return cudaSuccess;
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  const size_t bytes = (4 * batch * buffers + 4095) / 4096 * 4096;
  uint32_t *h_stage = (uint32_t *)aligned_alloc(4096, bytes);
  if (!h_stage) return cudaErrorMemoryAllocation;
  cudaError_t error = cudaHostRegister(h_stage, bytes, cudaHostRegisterDefault);
  if (!error) {
    struct lines l;
    error = open_lines(&l, buffers);
    if (!error) error = run_batches(&l, h_stage, h_in, h_out, n, d_work, batch, buffers, rounds);
    const cudaError_t rest = cudaDeviceSynchronize();
    close_lines(&l);
    if (!error) error = rest;
    cudaHostUnregister(h_stage);
  }
  free(h_stage);
  return error;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  const size_t chunk = n / 8 + 1;
  return process_streams(h_in, h_out, n, d_work, chunk, n < 64 ? 1 : 4, rounds);
}
