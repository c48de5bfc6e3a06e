/*
 * Right: h_x stays as it is, and a pinned copy of it makes the trips and takes the turns; the gather strides
 * through the keys with the host's own pointer; the window moves on by one kernel that reads the samples
 * where they are; all records are packed into one pinned buffer.
 */
#include "transfers.h"
#include <string.h>

static __global__ void step_all(uint32_t *d_x, size_t n) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_x[i] = step(d_x[i]);
}

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof *h_x;
  uint32_t *h_copy;
  cudaError_t error = cudaMallocHost((void **)&h_copy, bytes);
  if (error) return error;
  memcpy(h_copy, h_x, bytes);
  for (int trip = 0; trip < trips && !error; trip++) {
    if ((error = cudaMemcpy(d_x, h_copy, bytes, cudaMemcpyHostToDevice))) break;
    step_all<<<64, 128>>>(d_x, n);
    if ((error = cudaGetLastError())) break;
    if ((error = cudaMemcpy(h_copy, d_x, bytes, cudaMemcpyDeviceToHost))) break;
    turn(h_copy, n, trip);
  }
  memcpy(h_x, h_copy, bytes);
  const cudaError_t freed = cudaFreeHost(h_copy);
  return error ? error : freed;
}

static __global__ void gather(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                              size_t k) {
  for (size_t j = threadIdx.x + (size_t)blockIdx.x * blockDim.x; j < k; j += (size_t)blockDim.x * gridDim.x)
    d_out[j] = h_table[place_of(d_key[j], n)];
}

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  gather<<<16, 64>>>(h_table, n, d_key, d_out, k);
  return cudaPeekAtLastError();
}

static __global__ void slide(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                             size_t m) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  d_new[i] = i + m < n ? d_old[i + m] : h_samples[i + m - n];
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  if (m > n) return cudaErrorInvalidValue;
  if (n) slide<<<(unsigned)((n + 511) / 512), 512>>>(d_old, d_new, n, h_samples, m);
  return cudaGetLastError();
}

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  const size_t row = length * sizeof *d_out;
  if (!records || !length) return cudaSuccess;
  char *h_all;
  cudaError_t error = cudaHostAlloc((void **)&h_all, records * row, cudaHostAllocDefault);
  if (error) return error;
  for (size_t r = 0; r < records; r++)
    memcpy(h_all + r * row, h_pool + place_of(h_key[r], places) * length, row);
  error = cudaMemcpy(d_out, h_all, records * row, cudaMemcpyDefault);
  const cudaError_t freed = cudaFreeHost(h_all);
  return error ? error : freed;
}
