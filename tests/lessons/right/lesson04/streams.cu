/*
 * Right: streams of its own everywhere; trips in two halves, one on its way in while the other goes out; the
 * window's two copies side by side; a staging buffer in parts that are waited for by stream.
 */
#include "transfers.h"
#include <stdlib.h>
#include <string.h>

namespace {

struct lanes {
  cudaStream_t lane[2] = {};
  cudaError_t error;
  lanes() : error(cudaSuccess) {
    for (cudaStream_t &s : lane) note(cudaStreamCreate(&s));
  }
  void note(cudaError_t e) { error = error ? error : e; }
  void wait(int s) { note(cudaStreamSynchronize(lane[s])); }
  cudaError_t close() {
    for (cudaStream_t s : lane) {
      note(cudaStreamSynchronize(s));
      if (s) note(cudaStreamDestroy(s));
    }
    return error;
  }
};

template <typename F> __global__ void each(F f, size_t n) {
  const size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

struct stepper {
  uint32_t *d_x;
  __device__ void operator()(size_t i) const { d_x[i] = step(d_x[i]); }
};
struct gatherer {
  const uint32_t *table, *d_key;
  uint32_t *d_out;
  size_t n;
  __device__ void operator()(size_t j) const { d_out[j] = table[place_of(d_key[j], n)]; }
};

template <typename F> cudaError_t launch(F f, size_t n, cudaStream_t stream) {
  if (n) each<F><<<(unsigned)((n + 63) / 64), 64, 0, stream>>>(f, n);
  return cudaGetLastError();
}

} // namespace

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  if (n == 0) return cudaSuccess;
  if (cudaError_t e = cudaHostRegister(h_x, n * 4, cudaHostRegisterPortable)) return e;
  lanes l;
  for (int trip = 0; trip < trips && !l.error; trip++) {
    for (int half = 0; half < 2; half++) {
      const size_t first = half ? n / 2 : 0, count = half ? n - n / 2 : n / 2;
      const cudaStream_t s = l.lane[half];
      l.note(cudaMemcpyAsync(d_x + first, h_x + first, count * 4, cudaMemcpyHostToDevice, s));
      l.note(launch(stepper{d_x + first}, count, s));
      l.note(cudaMemcpyAsync(h_x + first, d_x + first, count * 4, cudaMemcpyDeviceToHost, s));
    }
    l.wait(0);
    l.wait(1);
    if (!l.error) turn(h_x, n, trip);
  }
  const cudaError_t error = l.close(), unregistered = cudaHostUnregister(h_x);
  return error ? error : unregistered;
}

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  lanes l;
  l.note(launch(gatherer{h_table, d_key, d_out, n}, k / 3, l.lane[0]));
  l.note(launch(gatherer{h_table, d_key + k / 3, d_out + k / 3, n}, k - k / 3, l.lane[1]));
  return l.close();
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  if (n < m) return cudaErrorInvalidValue;
  lanes l;
  l.note(cudaMemcpyAsync(d_new, d_old + m, (n - m) * 4, cudaMemcpyDefault, l.lane[0]));
  l.note(cudaMemcpyAsync(d_new + n - m, h_samples, m * 4, cudaMemcpyDefault, l.lane[1]));
  return l.close();
}

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  if (records * length == 0) return cudaSuccess;
  /* Whole records, about 64 KiB of them, or one where it is longer. */
  const size_t room = length < 16384 ? 16384 / length : 1;
  uint32_t *h_stage = (uint32_t *)malloc(2 * room * length * 4);
  if (!h_stage) return cudaErrorMemoryAllocation;
  cudaError_t registered = cudaHostRegister(h_stage, 2 * room * length * 4, 0);
  if (registered) {
    free(h_stage);
    return registered;
  }
  lanes l;
  int s = 0;
  for (size_t r = 0; r < records && !l.error; s ^= 1) {
    const size_t first = r;
    uint32_t *h_half = h_stage + s * room * length;
    l.wait(s);
    for (; r < records && r - first < room; r++)
      memcpy(h_half + (r - first) * length, h_pool + place_of(h_key[r], places) * length, length * 4);
    l.note(cudaMemcpyAsync(d_out + first * length, h_half, (r - first) * length * 4, cudaMemcpyHostToDevice,
                           l.lane[s]));
  }
  const cudaError_t error = l.close(), unregistered = cudaHostUnregister(h_stage);
  free(h_stage);
  return error ? error : unregistered;
}
