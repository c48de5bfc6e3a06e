/*
 * Right: breadth-first order (all copies in of one round, then all kernels, then all copies out),
 * non-blocking streams, 64-thread blocks, one cudaDeviceSynchronize for all, and staging memory in one pinned
 * piece.
 */
#include "streams.h"
#include <string.h>

#define TRY(call)                                                                                            \
  do {                                                                                                       \
    const cudaError_t tried = (call);                                                                        \
    if (!error) error = tried;                                                                               \
  } while (0)

__global__ void __launch_bounds__(64) work(uint32_t *__restrict__ d_x, size_t count, int rounds) {
  const size_t i = threadIdx.x + (size_t)blockIdx.x * 64;
  if (i >= count) return;
  d_x[i] = scramble(d_x[i], rounds);
}

/* A round of up to `lanes` chunks: what the k-th of them covers. */
static size_t part(size_t n, size_t first, size_t chunk) {
  return first >= n ? 0 : n - first < chunk ? n - first : chunk;
}

static cudaError_t one_round(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                             int lanes, int rounds, const cudaStream_t *stream) {
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < lanes; k++)
    if (part(n, k * chunk, chunk))
      TRY(cudaMemcpyAsync(d_work + k * chunk, h_in + k * chunk, 4 * part(n, k * chunk, chunk),
                          cudaMemcpyDefault, stream[k]));
  for (int k = 0; k < lanes; k++)
    if (const size_t count = part(n, k * chunk, chunk)) {
      work<<<(count + 63) / 64, 64, 0, stream[k]>>>(d_work + k * chunk, count, rounds);
      TRY(cudaGetLastError());
    }
  for (int k = 0; k < lanes; k++)
    if (part(n, k * chunk, chunk))
      TRY(cudaMemcpyAsync(h_out + k * chunk, d_work + k * chunk, 4 * part(n, k * chunk, chunk),
                          cudaMemcpyDefault, stream[k]));
  return error;
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  cudaStream_t stream[MAX_STREAMS] = {};
  for (int k = 0; k < streams; k++) TRY(cudaStreamCreateWithFlags(&stream[k], cudaStreamNonBlocking));
  for (size_t first = 0; first < n && !error; first += streams * chunk)
    error = one_round(h_in + first, h_out + first, n - first, d_work, chunk, streams, rounds, stream);
  TRY(cudaDeviceSynchronize());
  for (int k = 0; k < streams; k++)
    if (stream[k]) TRY(cudaStreamDestroy(stream[k]));
  return error;
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  return process_streams(h_in, h_out, n, d_work, chunk, 1, rounds);
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaSuccess;
  uint32_t *h_stage = NULL;
  cudaStream_t stream[MAX_STREAMS] = {};
  TRY(cudaHostAlloc(&h_stage, 4 * batch * buffers, cudaHostAllocDefault));
  for (int k = 0; k < buffers; k++) TRY(cudaStreamCreate(&stream[k]));
  size_t held[MAX_STREAMS] = {}; /* where the batch in buffer k goes, plus one; 0: none */
  const size_t batches = (n + batch - 1) / batch;
  for (size_t b = 0; b < batches + buffers && !error; b++) {
    const int k = b % buffers;
    if (held[k]) {
      TRY(cudaStreamSynchronize(stream[k])); /* one stream for each buffer: as good as an event */
      memcpy(h_out + held[k] - 1, h_stage + k * batch, 4 * part(n, held[k] - 1, batch));
      held[k] = 0;
    }
    if (b >= batches) continue;
    const size_t count = part(n, b * batch, batch);
    memcpy(h_stage + k * batch, h_in + b * batch, 4 * count);
    held[k] = b * batch + 1;
    TRY(one_round(h_stage + k * batch, h_stage + k * batch, count, d_work + k * batch, batch, 1, rounds,
                  &stream[k]));
  }
  for (int k = 0; k < buffers; k++)
    if (stream[k]) {
      TRY(cudaStreamSynchronize(stream[k]));
      TRY(cudaStreamDestroy(stream[k]));
    }
  if (h_stage) TRY(cudaFreeHost(h_stage));
  return error;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  return process_streams(h_in, h_out, n, d_work, n / 3 + 1, n < 3 ? 1 : 2, rounds);
}
