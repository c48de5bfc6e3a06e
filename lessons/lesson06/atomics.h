/*
 * lesson06, atomics: what you write in atomics.cu.
 *
 * Every function reads n elements in device memory and leaves its result in device memory, so all pointers
 * start with d_. The arrays begin at multiples of 16 bytes. The result is uninitialised on entry; you must
 * set it. n may be 0. Each function returns cudaSuccess or the first CUDA error that occurred, need not wait
 * for the device, and frees what it allocated.
 */
#ifndef ATOMICS_H
#define ATOMICS_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#define BINS       256  /* of a histogram of bytes */
#define WORK_COUNT 4096 /* floats that sum may use in d_work */

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. *d_max = the largest of n integers, by one atomicMax an element. For n = 0 the result is
 * INT32_MIN. */
cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max);

/*
 * Task 2. *d_max = the largest of n floats, with at most one global atomic a block. There is no atomicMax for
 * floats: you write one. Negative numbers and infinities count like any other number; a NaN is ignored, as by
 * fmaxf. 0 and -0 count as equal. For n = 0 the result is -INFINITY.
 */
cudaError_t maximum_block(const float *d_x, size_t n, float *d_max);

/*
 * Task 3. d_counts[v] = how often v occurs among n bytes, v = 0 ... 255; n < 2^32. Each block counts in
 * its own shared memory and adds its counts to the global ones once, at its end.
 */
cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts);

/*
 * Go further. *d_sum = the sum of n floats, with the same bits in every run: the result must not depend on
 * which block happens to be first, so no atomic may add floats; a counter of the blocks that are done may be
 * an atomic integer. No number goes through more than 2 + n / 2^18 + 40 additions on its way into the sum:
 * driver/main.c derives the tolerance from that. d_work has room for WORK_COUNT floats. For n = 0 the result
 * is 0.
 */
cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *d_work);

#ifdef __cplusplus
}
#endif
#endif
