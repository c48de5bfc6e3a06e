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
  // #region task-1
  //: /* TODO task 1: h_x is pageable, so the host first copies it into a buffer of the driver. What must you do
  //:  * once, before the loop, so that the copy engine can read h_x directly, and what must you undo after the
  //:  * loop? The loop also lacks the launch and the copy back. */
  //: cudaError_t error = cudaSuccess;
  //: for (int trip = 0; trip < trips && !error; trip++) {
  //:   error = cudaMemcpy(d_x, h_x, size_bytes, cudaMemcpyHostToDevice);
  //:   if (!error) turn(h_x, n, trip);
  //: }
  //: return error;
  /* Registering makes pageable memory page-locked in its place. It takes as long as many copies over the
   * link: do it once for all trips, never once a trip. */
  cudaError_t error = cudaHostRegister(h_x, size_bytes, cudaHostRegisterDefault);
  if (error) return error;
  for (int trip = 0; trip < trips && !error; trip++) {
    error = cudaMemcpyAsync(d_x, h_x, size_bytes, cudaMemcpyHostToDevice, 0);
    if (!error) {
      step_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_x, n);
      error = cudaGetLastError();
    }
    if (!error) error = cudaMemcpyAsync(h_x, d_x, size_bytes, cudaMemcpyDeviceToHost, 0);
    /* Pinned copies are queued, not done: the host must not look before they are. One wait a trip. */
    error = first_error(error, cudaStreamSynchronize(0));
    if (!error) turn(h_x, n, trip);
  }
  return first_error(error, cudaHostUnregister(h_x));
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: a kernel in which thread j fetches one element of the table. How can it read host memory? */
/*
 * Each thread fetches one word of host memory over the link; 32 bytes cross it, the smallest unit. A single
 * fetch takes more than a microsecond, but all k of them are in flight together.
 */
static __global__ void gather_kernel(const uint32_t *table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                                     size_t k) {
  const size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (j < k) d_out[j] = table[place_of(d_key[j], n)];
}
// #endregion task-2

cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k) {
  // #region task-2
  //: /* TODO task 2: h_table is pinned. Get the address under which kernels see it, and launch. */
  //: return cudaSuccess;
  if (k == 0) return cudaSuccess;
  /* The host's address would work on every 64-bit system of today; this call also checks that it is
   * mapped. */
  void *mapped = NULL;
  cudaError_t error = cudaHostGetDevicePointer(&mapped, (void *)h_table, 0);
  if (error) return error;
  gather_kernel<<<ceil_div(k, THREADS), THREADS>>>((const uint32_t *)mapped, n, d_key, d_out, k);
  return cudaGetLastError();
  // #endregion task-2
}

cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m) {
  // #region task-3
  //: /* TODO task 3: one copy within the device, one copy from the host. What if m > n? */
  //: return cudaSuccess;
  if (m > n) return cudaErrorInvalidValue;
  const size_t kept = n - m;
  cudaError_t error = cudaSuccess;
  /* Both are queued in the default stream; the host doesn't wait. */
  if (m) error = cudaMemcpyAsync(d_new + kept, h_samples, m * sizeof(uint32_t), cudaMemcpyHostToDevice, 0);
  if (kept && !error)
    error = cudaMemcpyAsync(d_new, d_old + m, kept * sizeof(uint32_t), cudaMemcpyDeviceToDevice, 0);
  return error;
  // #endregion task-3
}

// #region task-further
//: /* TODO go further: put records into a small pinned buffer, one after the other, and copy the full buffer to
//:  * the device in one copy. Could the next records be copied meanwhile? */
/* 256 KiB: large enough that starting a copy costs little, small enough that pinning two of them does. */
#define STAGE ((size_t)1 << 16)

/* Of all records laid end to end, writes elements first to first + count - 1 to h_stage. */
static void pack(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key, size_t first,
                 size_t count, uint32_t *h_stage) {
  size_t done = 0, record = first / length, from = first % length;
  while (done < count) {
    const size_t left = length - from, piece = left < count - done ? left : count - done;
    const uint32_t *h_from = h_pool + place_of(h_key[record], places) * length + from;
    memcpy(h_stage + done, h_from, piece * sizeof(uint32_t));
    done += piece;
    record++;
    from = 0;
  }
}
// #endregion task-further

cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out) {
  // #region task-further
  //: return cudaSuccess;
  const size_t total = records * length;
  if (total == 0) return cudaSuccess;
  uint32_t *h_stage = NULL; /* two halves: the host fills one while the other is being copied */
  cudaEvent_t copied[2] = {NULL, NULL};
  cudaError_t error = cudaMallocHost(&h_stage, 2 * STAGE * sizeof(uint32_t));
  for (int half = 0; half < 2 && !error; half++)
    error = cudaEventCreateWithFlags(&copied[half], cudaEventDisableTiming);

  int half = 0;
  for (size_t first = 0; first < total && !error; first += STAGE, half ^= 1) {
    const size_t count = total - first < STAGE ? total - first : STAGE;
    uint32_t *h_half = h_stage + half * STAGE;
    error = cudaEventSynchronize(copied[half]); /* an event that was never recorded counts as complete */
    if (error) break;
    pack(h_pool, places, length, h_key, first, count, h_half);
    error = cudaMemcpyAsync(d_out + first, h_half, count * sizeof(uint32_t), cudaMemcpyHostToDevice, 0);
    error = first_error(error, cudaEventRecord(copied[half], 0));
  }
  error = first_error(error, cudaStreamSynchronize(0)); /* the last copies still read the buffer */
  for (int h = 0; h < 2; h++)
    if (copied[h]) error = first_error(error, cudaEventDestroy(copied[h]));
  return first_error(error, h_stage ? cudaFreeHost(h_stage) : cudaSuccess);
  // #endregion task-further
}
