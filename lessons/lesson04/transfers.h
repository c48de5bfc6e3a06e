/*
 * lesson04, transfers: what you write in transfers.cu.
 *
 * Four tasks whose kernels are trivial and whose cost is data transfer. Pointers that start with h_ are host
 * memory, those with d_ device memory; sizes count elements of 4 bytes. When a function returns, its answer
 * is complete or queued in the default stream, and everything that it allocated or registered is released. It
 * returns cudaSuccess or the first CUDA error that occurred, also where memory cannot be pinned. Sizes may be
 * 0: no keys, no samples, no trips.
 */
#ifndef TRANSFERS_H
#define TRANSFERS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define FOR_HOST_AND_DEVICE static __host__ __device__ inline
#else
#define FOR_HOST_AND_DEVICE static inline
#endif

/* The device's work on one element: a step of Marsaglia's xorshift generator (Journal of Statistical
 * Software 8(14), 2003). Exact on every machine. */
FOR_HOST_AND_DEVICE uint32_t step(uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  return x ^ x << 5;
}

/* Which of `places` places, 1 to 2^32, a key stands for: keys are spread evenly over 0 ... places - 1. */
FOR_HOST_AND_DEVICE size_t place_of(uint32_t key, size_t places) {
  return (size_t)((uint64_t)key * places >> 32);
}

#ifdef __cplusplus
extern "C" {
#endif

/* The host's work between two trips. It may read and change any of the n elements at x, which is h_x or a
 * copy of it in host memory. */
typedef void (*host_turn)(uint32_t *x, size_t n, int trip);

/*
 * Task 1. Do this `trips` times, for trip = 0, 1, 2 and so on: on the device every element becomes
 * step(element); then turn(x, n, trip) gets all elements on the host and may change them, and the next trip
 * begins with the changed elements. After the last turn the elements are in h_x. h_x is ordinary, pageable
 * memory that belongs to the caller: it must be pageable again when the function returns. d_x has room for n
 * elements. With hundreds of trips the function should be nearly as fast as the link.
 */
cudaError_t round_trips(uint32_t *h_x, size_t n, uint32_t *d_x, int trips, host_turn turn);

/*
 * Task 2. d_out[j] = h_table[place_of(d_key[j], n)] for the k keys. h_table is pinned and large; k is small
 * compared with n. Only the device has the keys. Only the requested elements should cross the link.
 */
cudaError_t gather_sparse(const uint32_t *h_table, size_t n, const uint32_t *d_key, uint32_t *d_out,
                          size_t k);

/*
 * Task 3. A window over a stream of samples moves on by m: d_new is d_old without its first m elements,
 * followed by the m elements of h_samples; for m = 0 it is a copy of d_old. Both windows have n elements;
 * h_samples is pinned. If m > n, return cudaErrorInvalidValue and write nothing. Only the samples should
 * cross the link.
 */
cudaError_t slide_window(const uint32_t *d_old, uint32_t *d_new, size_t n, const uint32_t *h_samples,
                         size_t m);

/*
 * Go further. h_pool is pageable memory of `places` places for a record of `length` elements each. To pin all
 * of it for one call takes longer than to copy the records. Record r, of `records`, is in place
 * place_of(h_key[r], places); d_out gets all of them, one directly after the other. A cudaMemcpy for each record
 * works, but takes very long if records are short. Pinned memory is freed only after all copies from it are
 * done: wait for them first.
 */
cudaError_t upload_records(const uint32_t *h_pool, size_t places, size_t length, const uint32_t *h_key,
                           size_t records, uint32_t *d_out);

#ifdef __cplusplus
}
#endif
#endif
