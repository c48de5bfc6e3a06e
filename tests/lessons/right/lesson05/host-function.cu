/*
 * Right: the batches' results are taken by a host function that runs in the stream itself
 * (cudaLaunchHostFunc); separate staging memory for each way; its own device memory in addition to d_work;
 * recursion instead of a loop in task 1; events with timing; cudaStreamQuery polled.
 */
#include "streams.h"
#include <string.h>

__global__ void to_other(const uint32_t *d_from, uint32_t *d_to, unsigned count, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_to[i] = scramble(d_from[i], rounds);
}

static cudaError_t there_and_back(const uint32_t *h_in, uint32_t *h_out, uint32_t *d_a, uint32_t *d_b,
                                  size_t count, int rounds, cudaStream_t s) {
  if (cudaError_t e = cudaMemcpyAsync(d_a, h_in, count * 4, cudaMemcpyHostToDevice, s)) return e;
  to_other<<<dim3((unsigned)(count / 512 + 1)), dim3(512), 0, s>>>(d_a, d_b, (unsigned)count, rounds);
  if (cudaError_t e = cudaGetLastError()) return e;
  return cudaMemcpyAsync(h_out, d_b, count * 4, cudaMemcpyDeviceToHost, s);
}

static cudaError_t rest_of(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds, cudaStream_t s) {
  if (n == 0) return cudaSuccess;
  const size_t count = n < chunk ? n : chunk;
  if (cudaError_t e = there_and_back(h_in, h_out, d_work, d_work, count, rounds, s)) return e;
  return rest_of(h_in + count, h_out + count, n - count, d_work, chunk, rounds, s);
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  cudaStream_t s;
  if (cudaError_t e = cudaStreamCreate(&s)) return e;
  cudaError_t error = rest_of(h_in, h_out, n, d_work, chunk, rounds, s);
  cudaError_t state;
  while ((state = cudaStreamQuery(s)) == cudaErrorNotReady) continue;
  cudaStreamDestroy(s);
  return error ? error : state;
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  cudaStream_t s[MAX_STREAMS] = {};
  cudaEvent_t done[MAX_STREAMS] = {};
  uint32_t *d_other;
  cudaError_t error = cudaMalloc(&d_other, 4 * chunk * streams);
  if (error) return error;
  for (int k = 0; k < streams; k++) {
    if (!error) error = cudaStreamCreate(&s[k]);
    if (!error) error = cudaEventCreate(&done[k]);
  }
  /* Backwards: the last chunk first. */
  for (size_t c = (n + chunk - 1) / chunk; c-- > 0 && !error;) {
    const int k = (int)(c % streams);
    const size_t first = c * chunk;
    error = there_and_back(h_in + first, h_out + first, d_work + k * chunk, d_other + k * chunk,
                           n - first < chunk ? n - first : chunk, rounds, s[k]);
  }
  for (int k = 0; k < streams; k++) {
    if (done[k]) {
      cudaError_t e = cudaEventRecord(done[k], s[k]);
      if (!error) error = e;
      e = cudaEventSynchronize(done[k]);
      if (!error) error = e;
      cudaEventDestroy(done[k]);
    }
    if (s[k]) cudaStreamDestroy(s[k]);
  }
  cudaFree(d_other);
  return error;
}

struct delivery {
  uint32_t *to;
  const uint32_t *from;
  size_t count;
};

/* Runs on a thread of the driver's, in its turn in the stream. Must not call CUDA. */
static void CUDART_CB deliver(void *argument) {
  const struct delivery *d = (const struct delivery *)argument;
  memcpy(d->to, d->from, 4 * d->count);
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  cudaStream_t s[MAX_STREAMS] = {};
  uint32_t *h_from = NULL, *h_to = NULL;
  struct delivery delivery[MAX_STREAMS] = {};
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < buffers && !error; k++) error = cudaStreamCreate(&s[k]);
  if (!error) error = cudaMallocHost(&h_from, 4 * batch * buffers);
  if (!error) error = cudaMallocHost(&h_to, 4 * batch * buffers);
  for (size_t b = 0; b * batch < n && !error; b++) {
    const int k = (int)(b % buffers);
    const size_t first = b * batch, count = n - first < batch ? n - first : batch;
    error = cudaStreamSynchronize(s[k]); /* its last batch has been delivered */
    if (error) break;
    memcpy(h_from + k * batch, h_in + first, 4 * count);
    delivery[k] = (struct delivery){h_out + first, h_to + k * batch, count};
    error = there_and_back(h_from + k * batch, h_to + k * batch, d_work + k * batch, d_work + k * batch,
                           count, rounds, s[k]);
    if (!error) error = cudaLaunchHostFunc(s[k], deliver, &delivery[k]);
  }
  const cudaError_t rest = cudaDeviceSynchronize();
  for (int k = 0; k < buffers; k++)
    if (s[k]) cudaStreamDestroy(s[k]);
  cudaFreeHost(h_from);
  cudaFreeHost(h_to);
  return error ? error : rest;
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  const size_t half = n / 2;
  cudaStream_t a = NULL, b = NULL;
  cudaError_t error = cudaStreamCreate(&a);
  if (!error) error = cudaStreamCreate(&b);
  if (half && !error) error = there_and_back(h_in, h_out, d_work, d_work, half, rounds, a);
  if (n - half && !error)
    error = there_and_back(h_in + half, h_out + half, d_work + half, d_work + half, n - half, rounds, b);
  const cudaError_t waited_a = cudaStreamSynchronize(a), waited_b = cudaStreamSynchronize(b);
  if (a) cudaStreamDestroy(a);
  if (b) cudaStreamDestroy(b);
  return error ? error : waited_a ? waited_a : waited_b;
}
