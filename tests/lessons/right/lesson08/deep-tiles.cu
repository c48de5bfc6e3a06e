/* Right, with temporal blocking in shared memory, dynamic in size: a block loads a tile with a halo of as
 * many cells as it does sweeps, and sweeps it between two halves of its shared memory. */
#include "jacobi.h"
#include <math.h>

enum { TILE = 24, DEEP = 4, WIDE = TILE + 2 * DEEP };

template <class real> static __global__ void deep_kernel(const real *from, real *to, plate q, int depth) {
  extern __shared__ unsigned char memory[];
  real *a = (real *)memory, *b = a + WIDE * WIDE;
  const int top = (int)blockIdx.y * TILE - DEEP, left = (int)blockIdx.x * TILE - DEEP;
  const int row0 = threadIdx.y, col0 = threadIdx.x;
  for (int y = row0; y < WIDE; y += blockDim.y) {
    const int row = top + y, col = left + col0;
    const bool there = row >= 0 && col >= 0 && row < q.rows && col < q.cols;
    a[y * WIDE + col0] = b[y * WIDE + col0] = there ? from[(size_t)row * q.cols + col] : 0;
  }
  for (int t = 1; t <= depth; t++) {
    __syncthreads();
    for (int y = row0; y < WIDE; y += blockDim.y) {
      const int row = top + y, col = left + col0, i = y * WIDE + col0;
      if (y < t || y >= WIDE - t || col0 < t || col0 >= WIDE - t) continue;       /* no longer known */
      if (row < 1 || col < 1 || row >= q.rows - 1 || col >= q.cols - 1) continue; /* the edge stays */
      real sum = a[i - 1] + a[i + 1] + a[i - WIDE] + a[i + WIDE];
      if (row == q.source_row && col == q.source_col) sum += (real)q.strength;
      b[i] = sum / 4;
    }
    real *other = a;
    a = b;
    b = other;
  }
  __syncthreads();
  for (int y = DEEP + row0; y < DEEP + TILE; y += blockDim.y) {
    const int row = top + y, col = left + col0;
    if (col0 >= DEEP && col0 < DEEP + TILE && row < q.rows && col < q.cols)
      to[(size_t)row * q.cols + col] = a[y * WIDE + col0];
  }
}

/* One to DEEP sweeps. */
template <class real> static cudaError_t some_sweeps(const real *from, real *to, plate q, int depth) {
  if (q.rows == 0 || q.cols == 0) return cudaSuccess;
  const dim3 grid((q.cols + TILE - 1) / TILE, (q.rows + TILE - 1) / TILE), block(WIDE, 8);
  deep_kernel<<<grid, block, 2 * WIDE * WIDE * sizeof(real)>>>(from, to, q, depth);
  return cudaGetLastError();
}

/* `count` sweeps; afterwards *from is the newest plate, *to an older one. */
template <class real> static cudaError_t many(real **from, real **to, plate q, int count) {
  cudaError_t error = cudaSuccess;
  for (int depth = 0; count > 0 && !error; count -= depth) {
    depth = count < DEEP ? count : DEEP;
    error = some_sweeps(*from, *to, q, depth);
    real *other = *from;
    *from = *to;
    *to = other;
  }
  return error;
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return some_sweeps(d_p, d_next, plate, 1); }

template <class real>
static __global__ void squares(const real *a, const real *b, size_t cells, double *sum) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ double block_sum;
  if (threadIdx.x == 0) block_sum = 0;
  __syncthreads();
  if (i < cells) atomicAdd(&block_sum, ((double)a[i] - b[i]) * ((double)a[i] - b[i]));
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(sum, block_sum);
}

template <class real>
static cudaError_t queue_change(const real *a, const real *b, size_t cells, double *sum) {
  const cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum, 0);
  if (error || cells == 0) return error;
  squares<<<(unsigned)((cells + 1023) / 1024), 1024>>>(a, b, cells, sum);
  return cudaGetLastError();
}

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return queue_change(d_p, d_next, cells, d_sum);
}

/* All sweeps of a batch but the last in deep steps, the last alone: its change is asked for. */
template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate q, stopping stop, outcome *reached) {
  const size_t cells = (size_t)q.rows * q.cols;
  real *from = d_p, *to = d_work;
  double *d_sum = NULL, sum = 0;
  cudaError_t error = cudaMalloc(&d_sum, sizeof *d_sum);
  for (*reached = (outcome){0, 1e300};
       !error && reached->sweeps < stop.most && reached->change >= stop.tolerance;) {
    int batch = stop.check_every;
    if (batch > stop.most - reached->sweeps) batch = stop.most - reached->sweeps;
    error = many(&from, &to, q, batch - 1);
    if (!error) error = many(&from, &to, q, 1);
    if (!error) error = queue_change(from, to, cells, d_sum);
    if (!error) error = cudaMemcpy(&sum, d_sum, 8, cudaMemcpyDeviceToHost);
    *reached = (outcome){reached->sweeps + batch, sqrt(sum)};
  }
  if (!error && from != d_p) error = cudaMemcpy(d_p, from, cells * sizeof *d_p, cudaMemcpyDeviceToDevice);
  const cudaError_t freed = cudaFree(d_sum);
  return error ? error : freed;
}

cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}

cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}

cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
  float *from = d_p, *to = d_work;
  const cudaError_t error = many(&from, &to, plate, count);
  const size_t bytes = (size_t)plate.rows * plate.cols * sizeof(float);
  if (error || from == d_p || bytes == 0) return error;
  return cudaMemcpy(d_p, from, bytes, cudaMemcpyDeviceToDevice);
}
