/*
 * Right: managed memory, which both sides see under one address, for the trips and for the packed records;
 * the window by cudaMemcpy2D with one row; two keys a thread, in blocks of two dimensions.
 */
#include "transfers.h"
#include <string.h>

static __global__ void step_managed(uint32_t *x, size_t n) {
  const size_t i = (blockIdx.x * (size_t)blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < n) x[i] = step(x[i]);
}

static dim3 grid(size_t n) { return dim3((unsigned)(n / 256 + 1)); }

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  (void)d_x;
  if (n == 0 || trips < 1) return cudaSuccess;
  uint32_t *both = nullptr;
  cudaError_t error = cudaMallocManaged(&both, n * sizeof(uint32_t));
  if (error) return error;
  memcpy(both, h_x, n * sizeof(uint32_t));
  for (int trip = 0; trip < trips && !error; trip++) {
    step_managed<<<grid(n), dim3(32, 8)>>>(both, n);
    error = cudaGetLastError();
    const cudaError_t waited = cudaDeviceSynchronize(); /* before the host may touch it */
    error = error ? error : waited;
    if (!error) turn(both, n, trip);
  }
  memcpy(h_x, both, n * sizeof(uint32_t));
  const cudaError_t freed = cudaFree(both);
  return error ? error : freed;
}

static __global__ void gather_pairs(const uint32_t *table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                                    size_t k) {
  const size_t first = 2 * ((blockIdx.x * (size_t)blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
  for (size_t j = first; j < first + 2 && j < k; j++) d_out[j] = table[place_of(d_key[j], n)];
}

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  void *table = nullptr;
  const cudaError_t error = cudaHostGetDevicePointer(&table, const_cast<uint32_t *>(h_table), 0);
  if (error) return error;
  gather_pairs<<<grid(k / 2 + 1), dim3(16, 16)>>>((const uint32_t *)table, n, d_key, d_out, k);
  return cudaGetLastError();
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  if (m > n) return cudaErrorInvalidValue;
  const size_t kept = (n - m) * 4, added = m * 4;
  cudaError_t error = cudaSuccess;
  if (kept) error = cudaMemcpy2D(d_new, kept, d_old + m, kept, kept, 1, cudaMemcpyDeviceToDevice);
  if (added && !error) error = cudaMemcpy(d_new + (n - m), h_samples, added, cudaMemcpyHostToDevice);
  return error;
}

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  const size_t batch = 1024;
  if (records == 0) return cudaSuccess;
  uint32_t *h_stage = nullptr;
  const size_t most = records < batch ? records : batch;
  cudaError_t error = cudaHostAlloc(&h_stage, most * length * 4, cudaHostAllocWriteCombined);
  for (size_t first = 0; first < records && !error; first += most) {
    const size_t count = records - first < most ? records - first : most;
    for (size_t r = 0; r < count; r++)
      memcpy(h_stage + r * length, h_pool + place_of(h_key[first + r], places) * length, length * 4);
    error = cudaMemcpy(d_out + first * length, h_stage, count * length * 4, cudaMemcpyHostToDevice);
  }
  const cudaError_t freed = cudaFreeHost(h_stage);
  return error ? error : freed;
}
