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

// #region task-1
//: /* TODO task 1: a function that adds up one value of each thread of a block, for any number of threads: 96
//:  * and 1, too. */
//:
//: /* TODO task 1: a kernel in which each thread adds f over its part of the cells. Then its block adds up
//:  * the threads' sums, and one thread adds the block's sum to *d_sum by atomicAdd. */
/*
 * The sum of the values of a block's threads, in thread 0. In each round a thread adds the value of the
 * thread `half` places further on, if there is one: so no power of two is needed. All threads of the block
 * must call it.
 */
static __device__ double block_sum(double value) {
  __shared__ double part[MOST_THREADS];
  const unsigned t = threadIdx.x;
  part[t] = value;
  for (unsigned half = MOST_THREADS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half && t + half < blockDim.x) part[t] += part[t + half];
  }
  return part[t];
}

/*
 * Blocks go through the rows, the threads of a block through the columns of a row: no division is needed to
 * find a cell. y is computed once for a row, x for each cell. The area of a cell is a factor of the whole
 * sum, so each block multiplies once.
 */
static __global__ void integrate_kernel(problem p, size_t nx, size_t ny, double *d_sum) {
  const double hx = (p.x1 - p.x0) / nx, hy = (p.y1 - p.y0) / ny;
  double sum = 0;
  for (size_t j = blockIdx.x; j < ny; j += gridDim.x) {
    const double y = y_of(p, hy, j);
    for (size_t i = threadIdx.x; i < nx; i += blockDim.x) sum += f(p, x_of(p, hx, i), y);
  }
  const double total = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(d_sum, total * hx * hy);
}
// #endregion task-1

cudaError_t integrate(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_integral,
                      double *d_work) {
  // #region task-1
  //: /* TODO task 1: set *d_work to 0, launch the kernel, copy 8 bytes back. No cells: the result is 0. */
  //: return cudaSuccess;
  *h_integral = 0;
  if (nx == 0 || ny == 0) return cudaSuccess;
  cudaError_t error = cudaMemsetAsync(d_work, 0, sizeof *d_work); /* eight bytes of 0 are the double 0 */
  if (error) return error;
  integrate_kernel<<<blocks, threads>>>(p, nx, ny, d_work);
  error = cudaGetLastError();
  if (error) return error;
  return cudaMemcpy(h_integral, d_work, sizeof *d_work, cudaMemcpyDeviceToHost);
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: cut the cells into pieces. How many, if their number may not depend on the grid? A kernel
//:  * that adds up each piece in a fixed order, and one that adds up the pieces. */
/* So many pieces, whatever the grid: enough for a large device, and no more than d_work holds. */
static size_t pieces_of(size_t count) { return count < WORK_COUNT ? count : WORK_COUNT; }

/*
 * d_work[k] = the sum of f over the cells of piece k, which follow each other along the rows. A single thread
 * adds up a piece, cell by cell; which thread it is makes no difference. The only division is at the
 * beginning of a piece.
 */
static __global__ void pieces_kernel(problem p, size_t nx, size_t ny, size_t pieces, double *d_work) {
  const double hx = (p.x1 - p.x0) / nx, hy = (p.y1 - p.y0) / ny;
  const size_t cells = nx * ny, threads = (size_t)gridDim.x * blockDim.x;
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < pieces; k += threads) {
    const size_t first = k * cells / pieces, last = (k + 1) * cells / pieces;
    size_t i = first % nx, j = first / nx;
    double sum = 0;
    for (size_t cell = first; cell < last; cell++) {
      sum += f(p, x_of(p, hx, i), y_of(p, hy, j));
      if (++i == nx) i = 0, j++;
    }
    d_work[k] = sum * hx * hy;
  }
}

/*
 * d_work[0] = the sum of the pieces, by one block whose number of threads is always the same: so the order of
 * all additions is, too. The barriers in block_sum let all threads read before thread 0 writes.
 */
static __global__ void join_kernel(size_t pieces, double *d_work) {
  double sum = 0;
  for (size_t k = threadIdx.x; k < pieces; k += blockDim.x) sum += d_work[k];
  const double total = block_sum(sum);
  if (threadIdx.x == 0) d_work[0] = total;
}

/* Adds up the pieces, when the kernel that makes them is launched, and copies the sum to the host. */
static cudaError_t join(size_t pieces, double *h_sum, double *d_work) {
  cudaError_t error = cudaGetLastError();
  if (error) return error;
  join_kernel<<<1, MOST_THREADS>>>(pieces, d_work);
  error = cudaGetLastError();
  if (error) return error;
  return cudaMemcpy(h_sum, d_work, sizeof *d_work, cudaMemcpyDeviceToHost);
}
// #endregion task-2

cudaError_t integrate_same_bits(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads,
                                double *h_integral, double *d_work) {
  // #region task-2
  //: /* TODO task 2: launch both. No atomics: they add in the order in which blocks happen to end. */
  //: return cudaSuccess;
  *h_integral = 0;
  if (nx == 0 || ny == 0) return cudaSuccess;
  const size_t pieces = pieces_of(nx * ny);
  pieces_kernel<<<blocks, threads>>>(p, nx, ny, pieces, d_work);
  return join(pieces, h_integral, d_work);
  // #endregion task-2
}

cudaError_t richardson(problem p, size_t nx, size_t ny, unsigned blocks, unsigned threads, double *h_results,
                       double *d_work) {
  // #region task-3
  //: /* TODO task 3: two sums, in d_work[0] and d_work[1], and one copy of both. By how much does the error
  //:  * fall when both sides of a cell are halved? */
  //: return cudaSuccess;
  h_results[0] = h_results[1] = h_results[2] = 0;
  if (nx == 0 || ny == 0) return cudaSuccess;
  cudaError_t error = cudaMemsetAsync(d_work, 0, 2 * sizeof *d_work);
  if (error) return error;
  integrate_kernel<<<blocks, threads>>>(p, nx, ny, &d_work[0]);
  error = cudaGetLastError();
  if (error) return error;
  integrate_kernel<<<blocks, threads>>>(p, 2 * nx, 2 * ny, &d_work[1]);
  error = cudaGetLastError();
  if (error) return error;
  error = cudaMemcpy(h_results, d_work, 2 * sizeof *d_work, cudaMemcpyDeviceToHost);
  /* The finer grid has a quarter of the error e of the coarser one: the difference is 3/4 of e, a third of
   * that e/4. */
  if (!error) h_results[2] = (h_results[1] - h_results[0]) / 3;
  return error;
  // #endregion task-3
}

// #region task-4
//: /* TODO task 4: philox, as integration.h defines it: a function of counter and key that changes nothing
//:  * else. */
//:
//: /* TODO task 4: a kernel that adds f over the points of each piece, in the order of their numbers. */
/* Ten rounds of Philox on a counter of four words; x, y, z, w are c0 to c3. */
static __device__ uint4 philox(uint4 c, uint32_t k0, uint32_t k1) {
  for (int round = 0; round < 10; round++) {
    const uint64_t p = (uint64_t)0xD2511F53 * c.x, q = (uint64_t)0xCD9E8D57 * c.z;
    c = make_uint4((uint32_t)(q >> 32) ^ c.y ^ k0, (uint32_t)q, (uint32_t)(p >> 32) ^ c.w ^ k1, (uint32_t)p);
    k0 += 0x9E3779B9;
    k1 += 0xBB67AE85;
  }
  return c;
}

/* A number in [0, 1) from 64 random bits: a double holds 53 of them. */
static __device__ double fraction(uint32_t high, uint32_t low) {
  const uint64_t bits = (uint64_t)high << 32 | low;
  return (double)(bits >> 11) / 9007199254740992.0;
}

static __device__ double f_at_point(const problem &p, uint64_t seed, uint64_t k) {
  const uint4 w =
      philox(make_uint4((uint32_t)k, (uint32_t)(k >> 32), 0, 0), (uint32_t)seed, (uint32_t)(seed >> 32));
  const double u = fraction(w.y, w.x), v = fraction(w.w, w.z);
  return f(p, p.x0 + u * (p.x1 - p.x0), p.y0 + v * (p.y1 - p.y0));
}

/* As pieces_kernel, with points for cells. No thread has a state of its own, so any thread can make any
 * point. */
static __global__ void points_kernel(problem p, uint64_t seed, uint64_t first_point, size_t n, size_t pieces,
                                     double *d_work) {
  const size_t threads = (size_t)gridDim.x * blockDim.x;
  for (size_t k = (size_t)blockIdx.x * blockDim.x + threadIdx.x; k < pieces; k += threads) {
    const size_t first = k * n / pieces, last = (k + 1) * n / pieces;
    double sum = 0;
    for (size_t i = first; i < last; i++) sum += f_at_point(p, seed, first_point + i);
    d_work[k] = sum;
  }
}
// #endregion task-4

cudaError_t monte_carlo(problem p, uint64_t seed, uint64_t first, size_t n, unsigned blocks, unsigned threads,
                        double *h_estimate, double *d_work) {
  // #region task-4
  //: /* TODO task 4: launch it, then add up the pieces as in task 2. */
  //: return cudaSuccess;
  *h_estimate = 0;
  if (n == 0) return cudaSuccess;
  const size_t pieces = pieces_of(n);
  points_kernel<<<blocks, threads>>>(p, seed, first, n, pieces, d_work);
  const cudaError_t error = join(pieces, h_estimate, d_work);
  *h_estimate *= (p.x1 - p.x0) * (p.y1 - p.y0) / n;
  return error;
  // #endregion task-4
}

// #region task-further
//: /* TODO go further: a kernel whose threads compute little more than f. What does a thread compute again
//:  * and again that it could keep? How many points of a row can share what depends on y alone? */
#define THREADS 256
#define COLUMNS 8   /* of a thread */
#define ROWS    256 /* of a block, about */

/*
 * A thread keeps the x of eight columns in registers and goes down the rows. For a point it then needs one
 * multiply-add for the sine's argument, the sine, and one multiply-add for the sum: y, and what f makes of it
 * alone, is computed once for eight points. What this saves is the conversion of an index to double, which
 * takes as long as four multiply-adds. Rows are dealt out so that a block is short: the last ones end
 * together.
 */
static __global__ void __launch_bounds__(THREADS)
    fast_kernel(problem p, size_t nx, size_t ny, double hx, double hy, double *d_sum) {
  const size_t first = (size_t)blockIdx.x * (THREADS * COLUMNS) + threadIdx.x;
  const bool all_inside = first + (COLUMNS - 1) * THREADS < nx;
  double x[COLUMNS], sum = 0;
  for (int k = 0; k < COLUMNS; k++) x[k] = x_of(p, hx, first + k * THREADS);
  for (size_t j = blockIdx.y; j < ny; j += gridDim.y) {
    const double y = y_of(p, hy, j);
    if (all_inside)
      for (int k = 0; k < COLUMNS; k++) sum += f(p, x[k], y);
    else
      for (size_t i = first; i < nx; i += THREADS) sum += f(p, x_of(p, hx, i), y);
  }
  const double total = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(d_sum, total * hx * hy);
}

/* n / d, rounded up. */
static size_t ceil_div(size_t n, size_t d) { return (n + d - 1) / d; }
// #endregion task-further

cudaError_t integrate_fast(problem p, size_t nx, size_t ny, double *h_integral, double *d_work) {
  // #region task-further
  //: /* TODO go further: launch it with a grid of your choice. */
  //: return cudaSuccess;
  *h_integral = 0;
  if (nx == 0 || ny == 0) return cudaSuccess;
  cudaError_t error = cudaMemsetAsync(d_work, 0, sizeof *d_work);
  if (error) return error;
  const size_t high = ceil_div(ny, ROWS);
  const dim3 grid((unsigned)ceil_div(nx, THREADS * COLUMNS), high < 65535 ? (unsigned)high : 65535);
  fast_kernel<<<grid, THREADS>>>(p, nx, ny, (p.x1 - p.x0) / nx, (p.y1 - p.y0) / ny, d_work);
  error = cudaGetLastError();
  if (error) return error;
  return cudaMemcpy(h_integral, d_work, sizeof *d_work, cudaMemcpyDeviceToHost);
  // #endregion task-further
}
