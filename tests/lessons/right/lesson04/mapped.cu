/*
 * Right: no copy engine at all. The trips' kernel works in registered host memory in place; the records are
 * fetched by a kernel from the pool, registered for the call; the window moves on in two launches.
 */
#include "transfers.h"

#define GRID(n) (unsigned)(((n) + 255) / 256), 256

static __device__ size_t me(void) { return (size_t)blockIdx.x * blockDim.x + threadIdx.x; }

static __global__ void step_in_place(uint32_t *x, size_t n) {
  if (me() < n) x[me()] = step(x[me()]);
}

static __global__ void move(const uint32_t *from, uint32_t *to, size_t count) {
  if (me() < count) to[me()] = from[me()];
}

static __global__ void fetch(const uint32_t *pool, size_t places, size_t length, const uint32_t *key,
                             size_t records, uint32_t *d_out) {
  const size_t i = me(), r = i / length;
  if (r < records) d_out[i] = pool[place_of(key[r], places) * length + i % length];
}

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  (void)d_x;
  if (!n || !trips) return cudaSuccess;
  uint32_t *mapped;
  cudaError_t error = cudaHostRegister(h_x, n * sizeof(uint32_t), cudaHostRegisterMapped);
  if (error) return error;
  error = cudaHostGetDevicePointer((void **)&mapped, h_x, 0);
  for (int trip = 0; !error && trip < trips; trip++) {
    step_in_place<<<GRID(n)>>>(mapped, n);
    error = cudaGetLastError();
    if (!error) error = cudaDeviceSynchronize();
    if (!error) turn(h_x, n, trip);
  }
  const cudaError_t unregistered = cudaHostUnregister(h_x);
  return error ? error : unregistered;
}

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  if (k) fetch<<<GRID(k)>>>(h_table, n, 1, d_key, k, d_out);
  return cudaGetLastError();
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  if (m > n) return cudaErrorInvalidValue;
  if (m < n) move<<<GRID(n - m)>>>(d_old + m, d_new, n - m);
  if (m) move<<<GRID(m)>>>(h_samples, d_new + (n - m), m);
  return cudaGetLastError();
}

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  if (!records) return cudaSuccess;
  uint32_t *pool = (uint32_t *)h_pool, *d_key = NULL;
  cudaError_t error = cudaMalloc(&d_key, records * sizeof(uint32_t));
  if (error) return error;
  error = cudaMemcpy(d_key, h_key, records * sizeof(uint32_t), cudaMemcpyHostToDevice);
  if (!error) error = cudaHostRegister(pool, places * length * sizeof(uint32_t), cudaHostRegisterMapped);
  if (!error) {
    fetch<<<GRID(records * length)>>>(pool, places, length, d_key, records, d_out);
    error = cudaGetLastError();
    const cudaError_t waited = cudaDeviceSynchronize(), unregistered = cudaHostUnregister(pool);
    error = error ? error : waited ? waited : unregistered;
  }
  const cudaError_t freed = cudaFree(d_key);
  return error ? error : freed;
}
