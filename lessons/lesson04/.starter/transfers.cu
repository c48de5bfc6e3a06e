/*
 * lesson04, transfers: which way of moving data between host and device suits which task.
 *
 * The link between host and device is some eighty times slower than the device's own memory, so the data that
 * crosses it, and the way it crosses, decide the time of many programs. Four tasks, four ways:
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

/* Several calls may fail, but a function returns only one error: the first. */
static cudaError_t first_error(cudaError_t a, cudaError_t b) { return a ? a : b; }

/* The device's part of a trip is given. */
static __global__ void step_kernel(uint32_t *d_x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = step(d_x[i]);
}

cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn) {
  if (n == 0 || trips == 0) return cudaSuccess;
  const size_t size_bytes = n * sizeof(uint32_t);
  /* TODO task 1: h_x is pageable, so the host first copies it into a buffer of the driver. What must you do
   * once, before the loop, so that the copy engine can read h_x directly, and what must you undo after the
   * loop? The loop also lacks the launch and the copy back. */
  cudaError_t error = cudaSuccess;
  for (int trip = 0; trip < trips && !error; trip++) {
    error = cudaMemcpy(d_x, h_x, size_bytes, cudaMemcpyHostToDevice);
    if (!error) turn(h_x, n, trip);
  }
  return error;
}

/* TODO task 2: a kernel in which thread j fetches one element of the table. How can it read host memory? */

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  /* TODO task 2: h_table is pinned. Get the address under which kernels see it, and launch. */
  return cudaSuccess;
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  /* TODO task 3: one copy within the device, one copy from the host. What if m > n? */
  return cudaSuccess;
}

/* TODO go further: put records into a small pinned buffer, one after the other, and copy the full buffer to
 * the device in one copy. Could the next records be copied meanwhile? */

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  return cudaSuccess;
}
