/*
 * lesson06, atomics: many threads, one result.
 *
 * An atomic reads, changes and writes one word of memory as one step that no other thread can interrupt, so
 * no update is lost. Atomics on the same word run one after another: this queue is the cost. The kernels
 * below make it shorter step by step: combine values within a thread, then within a warp, then within a
 * block, and use an atomic on the shared word only for the rest.
 *
 * The kernels go from simple to fast: maximum, then histogram, then sum. atomics.h says what each public
 * function must do. n counts elements.
 */
#include "atomics.h"

/* Threads in a block: a multiple of the warp's 32, a power of two for the tree. */
#define THREADS 256
#define WARP    32
#define ALL     0xffffffffu /* every lane of a warp takes part */

/* n / d, rounded up. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

/* TODO task 1: a kernel of one thread that sets *d_max before any thread compares with it. */

/* TODO task 1: a kernel in which the thread of element i calls atomicMax, where i < n. */

cudaError_t maximum_global(const int32_t *d_x, size_t n, int32_t *d_max) {
  /* TODO task 1: launch both. For n = 0 only the first: a grid of 0 blocks is an error. */
  return cudaSuccess;
}

/* TODO task 2: an atomic maximum for floats, made of atomicMax and atomicMin for integers. */

/* TODO task 2: a kernel in which a block finds its maximum in shared memory and one thread of it calls the
 * atomic. */

cudaError_t maximum_block(const float *d_x, size_t n, float *d_max) {
  /* TODO task 2: set *d_max to minus infinity, then launch your kernel. */
  return cudaSuccess;
}

/* TODO task 3: a kernel in which each block counts in a __shared__ array: set it to 0, barrier, count with
 * atomics there, barrier, add it to d_counts. Let each block count many bytes, or the last step costs most. */

cudaError_t histogram(const uint8_t *d_x, size_t n, uint32_t *d_counts) {
  /* TODO task 3: set d_counts to 0 (cudaMemsetAsync), then launch your kernel. */
  return cudaSuccess;
}

/* TODO go further: a kernel in which each block leaves its sum in d_work, and one that sums d_work. How many
 * blocks, if the bits of the result must not depend on the GPU? */

cudaError_t sum(const float *d_x, size_t n, float *d_sum, float *d_work) {
  /* TODO go further: launch both. */
  return cudaSuccess;
}

/* Nothing more to do here: the solution lists its versions in this place. */
