/*
 * lesson10, integration: many values of a function, one sum.
 *
 * f costs more than any addition, so the sum itself is cheap. What matters is how the points are shared among
 * the threads, that the sum of a block is right for every number of threads, and in which order the parts are
 * added: floating-point additions round, so another order gives other bits.
 *
 * integration.h says what each function must do. h_ is host memory, d_ device memory.
 */
#include "integration.h"

#define MOST_THREADS 1024 /* in a block */

/* The middle of column i and of row j; hx and hy are the sides of a cell. */
static __device__ double x_of(const problem &p, double hx, size_t i) { return p.x0 + ((double)i + 0.5) * hx; }
static __device__ double y_of(const problem &p, double hy, size_t j) { return p.y0 + ((double)j + 0.5) * hy; }

/* TODO task 1: a function that adds up one value of each thread of a block, for any number of threads: 96
 * and 1, too. */

/* TODO task 1: a kernel in which each thread adds f over its part of the cells. Then its block adds up
 * the threads' sums, and one thread adds the block's sum to *d_sum by atomicAdd. */

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  /* TODO task 1: set *d_work to 0, launch the kernel, copy 8 bytes back. No cells: the result is 0. */
  return cudaSuccess;
}

/* TODO task 2: cut the cells into pieces. How many, if their number may not depend on the grid? A kernel
 * that adds up each piece in a fixed order, and one that adds up the pieces. */

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  /* TODO task 2: launch both. No atomics: they add in the order in which blocks happen to end. */
  return cudaSuccess;
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  /* TODO task 3: two sums, in d_work[0] and d_work[1], and one copy of both. By how much does the error
   * fall when both sides of a cell are halved? */
  return cudaSuccess;
}

/* TODO task 4: philox, as integration.h defines it: a function of counter and key that changes nothing
 * else. */

/* TODO task 4: a kernel that adds f over the points of each piece, in the order of their numbers. */

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  /* TODO task 4: launch it, then add up the pieces as in task 2. */
  return cudaSuccess;
}

/* TODO go further: a kernel whose threads compute little more than f. What does a thread compute again
 * and again that it could keep? How many points of a row can share what depends on y alone? */

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  /* TODO go further: launch it with a grid of your choice. */
  return cudaSuccess;
}
