/*
 * lesson04, transfers: which way between host and device for which job.
 *
 * The link between host and device is some eighty times slower than the device's own memory, so what crosses
 * it, and how, decides the time of many programs. Four jobs, four ways:
 *
 *     the same array, many times     pin it once, copy by the copy engine       round_trips
 *     a few elements of a large one  no copy: the kernel reads host memory      gather_sparse
 *     from device to device          never touch the link                       slide_window
 *     many small pieces              pack them, in a little pinned memory       upload_records
 *
 * transfers.h says what each function must do. h_ is host memory, d_ device memory; sizes in elements unless
 * named bytes.
 */
#include "transfers.h"
#include <string.h>

/* Threads in a block: a multiple of the warp's 32. */
#define THREADS 256

/* n / d, rounded up. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

/* Several calls may fail, one error can be returned: the first. */
static cudaError_t first_error(cudaError_t a, cudaError_t b) { return a ? a : b; }

/* The device's part of a trip is given. */
static __global__ void step_kernel(uint32_t *d_x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = step(d_x[i]);
}

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  if (n == 0 || trips == 0) return cudaSuccess;
  const size_t size_bytes = n * sizeof(uint32_t);
  /* TODO task 1: h_x is pageable, so this copy goes through a buffer of the driver, and the host carries it
   * there. What has to be done once, before the loop, so that the copy engine can fetch h_x by itself, and
   * what has to be undone behind it? The loop lacks the kernel and the way back, too. */
  cudaError_t error = cudaSuccess;
  for (int trip = 0; trip < trips && !error; trip++) {
    error = cudaMemcpy(d_x, h_x, size_bytes, cudaMemcpyHostToDevice);
    if (!error) turn(h_x, n, trip);
  }
  return error;
}

/* TODO task 2: a kernel in which thread j fetches one element of the table. How does it reach host memory? */

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  /* TODO task 2: h_table is pinned. Ask for the address under which kernels see it, and launch. */
  return cudaSuccess;
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  /* TODO task 3: one copy within the device, one copy from the host. And m > n? */
  return cudaSuccess;
}

/* TODO go further: records into a small pinned buffer, one behind the other; the full buffer to the device
 * in one copy. And the next records meanwhile? */

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  return cudaSuccess;
}
