/*
 * Right: everything in small pieces. A small pinned buffer of the function's own carries the trips piece by
 * piece, so h_x is never pinned; the gather in launches of a thousand keys; the window in several copies; one
 * record after another through pinned memory, with a ring of four parts and one event for each.
 */
#include "transfers.h"
#include <string.h>

#define TRY(call)                                                                                            \
  do {                                                                                                       \
    const cudaError_t tried = (call);                                                                        \
    if (error == cudaSuccess) error = tried;                                                                 \
  } while (0)

static const size_t PIECE = 50000;
static size_t least(size_t a, size_t b) { return b < a ? b : a; }

__global__ void step_piece(uint32_t *d_x, size_t n) {
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
  } else {
    d_x[i] = step(d_x[i]);
  }
}

static cudaError_t one_piece(uint32_t *h_x, uint32_t *h_buffer, uint32_t *d_x, size_t n) {
  cudaError_t error = cudaSuccess;
  memcpy(h_buffer, h_x, n * sizeof(uint32_t));
  TRY(cudaMemcpyAsync(d_x, h_buffer, n * sizeof(uint32_t), cudaMemcpyHostToDevice, cudaStreamPerThread));
  step_piece<<<(unsigned)((n + 95) / 96), 96, 0, cudaStreamPerThread>>>(d_x, n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpyAsync(h_buffer, d_x, n * sizeof(uint32_t), cudaMemcpyDeviceToHost, cudaStreamPerThread));
  TRY(cudaStreamSynchronize(cudaStreamPerThread));
  memcpy(h_x, h_buffer, n * sizeof(uint32_t));
  return error;
}

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  cudaError_t error = cudaSuccess;
  uint32_t *h_buffer = NULL;
  if (n == 0) return error;
  TRY(cudaMallocHost(&h_buffer, least(n, PIECE) * sizeof(uint32_t)));
  for (int trip = 0; trip < trips && !error; trip++) {
    for (size_t first = 0; first < n && !error; first += PIECE)
      TRY(one_piece(h_x + first, h_buffer, d_x, least(PIECE, n - first)));
    if (!error) turn(h_x, n, trip);
  }
  TRY(cudaFreeHost(h_buffer));
  return error;
}

__global__ void gather_piece(const uint32_t *table, size_t n, const uint32_t *d_key, uint32_t *d_out) {
  d_out[threadIdx.x] = table[place_of(d_key[threadIdx.x], n)];
}

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < k && !error; first += 1000) {
    gather_piece<<<1, (unsigned)least(1000, k - first)>>>(h_table, n, d_key + first, d_out + first);
    TRY(cudaGetLastError());
  }
  return error;
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  if (m > n) return cudaErrorInvalidValue;
  cudaError_t error = cudaSuccess;
  for (size_t first = 0; first < n - m; first += PIECE)
    TRY(cudaMemcpy(d_new + first, d_old + m + first, least(PIECE, n - m - first) * 4,
                   cudaMemcpyDeviceToDevice));
  for (size_t first = 0; first < m; first += PIECE)
    TRY(cudaMemcpy(d_new + (n - m) + first, h_samples + first, least(PIECE, m - first) * 4,
                   cudaMemcpyHostToDevice));
  return error;
}

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  enum { PARTS = 4 };
  cudaError_t error = cudaSuccess;
  const size_t room = least(records, length < 4096 ? 4096 / length + 1 : 1);
  uint32_t *h_ring = NULL;
  cudaEvent_t gone[PARTS] = {};
  if (records == 0) return error;
  TRY(cudaMallocHost(&h_ring, PARTS * room * length * sizeof(uint32_t)));
  if (error) return error;
  for (int p = 0; p < PARTS; p++) TRY(cudaEventCreate(&gone[p]));
  for (size_t first = 0, turn = 0; first < records && !error; first += room, turn++) {
    const int p = (int)(turn % PARTS);
    uint32_t *h_part = h_ring + p * room * length;
    const size_t count = least(room, records - first);
    if (turn >= PARTS) TRY(cudaEventSynchronize(gone[p]));
    for (size_t r = 0; r < count; r++)
      for (size_t j = 0; j < length; j++)
        h_part[r * length + j] = h_pool[place_of(h_key[first + r], places) * length + j];
    TRY(cudaMemcpyAsync(d_out + first * length, h_part, count * length * 4, cudaMemcpyHostToDevice));
    TRY(cudaEventRecord(gone[p]));
  }
  TRY(cudaDeviceSynchronize());
  for (int p = 0; p < PARTS; p++)
    if (gone[p]) TRY(cudaEventDestroy(gone[p]));
  TRY(cudaFreeHost(h_ring));
  return error;
}
