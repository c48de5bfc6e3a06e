/*
 * lesson10, integration: what you write in integration.cu.
 *
 * All functions compute the integral of f over the rectangle from (x0, y0) to (x1, y1). The rectangle is
 * divided into nx cells in x and ny cells in y. The midpoint rule adds f at the middle of each cell, times
 * the area of a cell:
 *
 *     hx = (x1 - x0) / nx       x of column i: x0 + (i + 0.5) * hx
 *     hy = (y1 - y0) / ny       y of row j:    y0 + (j + 0.5) * hy
 *     I(nx, ny) = hx * hy * (the sum of f(p, x, y) over all cells)
 *
 * For nx = 0 or ny = 0 there are no cells, and the result is 0. nx * ny may exceed 2^32.
 *
 * The rule: f stands for any function of x and y. Your kernels call it once for each point, and use nothing
 * else that is known about it: no antiderivative, no formula for the sum of sines, no sin(u + v) from sin(u)
 * and sin(v). All arithmetic is in double.
 *
 * The results, h_..., are in host memory, and complete when the function returns. d_work is room for
 * WORK_COUNT doubles in device memory, with any content. Functions that take blocks and threads compute with
 * so many blocks of so many threads: at least 1 block of 1 to 1024 threads. All numbers of a problem are
 * finite, and 0 and -0 count as equal, but not as the same bits. Each function returns cudaSuccess or the first
 * CUDA error that occurred, and frees what it allocated.
 */
#ifndef INTEGRATION_H
#define INTEGRATION_H

#include <cuda_runtime_api.h>
#include <stddef.h>
#include <stdint.h>

#define WORK_COUNT (1 << 18)

/* f(x, y) = c sin(a x + b y + d), and the rectangle. x1 may be below x0, and y1 below y0: hx or hy is negative then. */
typedef struct problem {
  double a, b, c, d;
  double x0, x1, y0, y1;
} problem;

#ifdef __CUDACC__
/* The function to integrate. */
static __device__ __forceinline__ double f(const problem &p, double x, double y) {
  double value = p.c * sin(p.a * x + (p.b * y + p.d));
#ifdef CUCC /* the CPU backend; only this header asks for it: your code is the same wherever it runs */
  cucc_count_call(&value);
#endif
  return value;
}
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Task 1. *h_integral = I(nx, ny). Each thread adds up its part of the cells, each block the sums of its
 * threads, and one atomicAdd for each block adds to the result on the device. 8 bytes go to the host. */
cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work);

/* Task 2. The same, and the bits of the result depend on p, nx and ny alone: they are the same in every run,
 * and for any number of blocks and threads. */
cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work);

/*
 * Task 3. Richardson's estimate of the error, from two grids:
 *     h_results[0] = I(nx, ny)
 *     h_results[1] = I(2 nx, 2 ny)
 *     h_results[2] = the estimated error of h_results[1]: what to add to it to come near the integral
 */
cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work);

/*
 * Task 4. *h_estimate = the area of the rectangle times the mean of f at n random points: those with the
 * numbers k = first, first + 1, ..., first + n - 1. Point k depends on seed and k alone:
 *
 *     w0, w1, w2, w3 = philox(counter: k mod 2^32, k / 2^32, 0, 0; key: seed mod 2^32, seed / 2^32)
 *     x = x0 + u * (x1 - x0)     u = (the upper 53 bits of w1 * 2^32 + w0) / 2^53
 *     y = y0 + v * (y1 - y0)     v = (the upper 53 bits of w3 * 2^32 + w2) / 2^53
 *
 * philox is Philox 4x32-10 (Salmon et al. 2011): ten rounds on a counter of four words with a key of two. A
 * round takes c0, c1, c2, c3 and k0, k1 and makes the new counter; all words are 32 bits, p and q are
 * products of 64 bits:
 *
 *     p = 0xD2511F53 * c0        q = 0xCD9E8D57 * c2
 *     new c0 = (upper half of q) ^ c1 ^ k0        new c1 = lower half of q
 *     new c2 = (upper half of p) ^ c3 ^ k1        new c3 = lower half of p
 *
 * Before each round but the first, k0 grows by 0x9E3779B9 and k1 by 0xBB67AE85, modulo 2^32. The result is
 * the counter after ten rounds:
 *
 *     counter 0 0 0 0, key 0 0:                      6627E8D5 E169C58D BC57AC4C 9B00DBD8
 *     all six words FFFFFFFF:                        408F276D 41C83B0E A20BC7C6 6D5451FD
 *     counter 243F6A88 85A308D3 13198A2E 03707344,
 *     key A4093822 299F31D0:                         D16CFE09 94FDCCEB 5001E420 24126EA1
 *
 * The bits of the result depend on p, seed, first and n alone, as in task 2. For n = 0 the result is 0.
 */
cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work);

/* Go further. As integrate, as fast as the device computes f. You choose blocks and threads. */
cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work);

#ifdef __cplusplus
}
#endif
#endif
