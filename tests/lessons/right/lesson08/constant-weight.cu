/*
 * Unusual: the weight of a neighbour is in constant memory, which all threads read at one address; the blocks
 * are 64 wide; and the host asks with cudaStreamQuery whether the sum has come, instead of waiting.
 */
#include "jacobi.h"
#include <math.h>

#define WARP 32

/* n / d, rounded up; in 64 bits, since n + d may pass the largest int. */
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }

__constant__ double weight[1] = {0.25};

template <class real> static __global__ void sweep_kernel(const real *d_p, real *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= plate.rows || col >= plate.cols) return;
  const size_t i = (size_t)row * plate.cols + col; /* a plate may have more than 2^31 cells */

  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) {
    d_next[i] = d_p[i];
    return;
  }
  real sum = (d_p[i - plate.cols] + d_p[i + plate.cols]) + (d_p[i - 1] + d_p[i + 1]);
  if (row == plate.source_row && col == plate.source_col) sum += (real)plate.strength;
  d_next[i] = sum * (real)weight[0];
}

template <class real> static cudaError_t launch_sweep(const real *d_p, real *d_next, plate plate) {
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess; /* a grid of 0 blocks is an error */
  const dim3 threads(64, 8), blocks(ceil_div(plate.cols, threads.x), ceil_div(plate.rows, threads.y));
  sweep_kernel<<<blocks, threads>>>(d_p, d_next, plate);
  return cudaGetLastError();
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return launch_sweep(d_p, d_next, plate); }

#define SUM_THREADS 256

/* The sum over a warp, in its lane 0: five shuffles, each halving the number of lanes that hold a part. */
static __device__ double warp_sum(double part) {
  for (int apart = WARP / 2; apart > 0; apart /= 2) part += __shfl_down_sync(0xffffffff, part, apart);
  return part;
}

template <class real>
static __global__ void change_kernel(const real *d_p, const real *d_next, size_t cells, double *d_sum) {
  __shared__ double part_of_warp[SUM_THREADS / WARP];
  const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
  const size_t stride = (size_t)gridDim.x * blockDim.x;

  double part = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += stride) {
    const double difference = (double)d_next[i] - (double)d_p[i];
    part += difference * difference;
  }
  part = warp_sum(part);
  if (lane == 0) part_of_warp[warp] = part;
  __syncthreads();
  if (warp > 0) return;
  part = warp_sum(lane < SUM_THREADS / WARP ? part_of_warp[lane] : 0);
  if (lane == 0) atomicAdd(d_sum, part);
}

template <class real>
static cudaError_t launch_change(const real *d_p, const real *d_next, size_t cells, double *d_sum) {
  const cudaError_t error = cudaMemsetAsync(d_sum, 0, sizeof *d_sum, 0);
  if (error || cells == 0) return error;
  const unsigned most = 2048; /* blocks: more than a GPU can run at a time bring no gain */
  const unsigned needed = ceil_div(cells, SUM_THREADS), blocks = needed > most ? most : needed;
  change_kernel<<<blocks, SUM_THREADS>>>(d_p, d_next, cells, d_sum);
  return cudaGetLastError();
}

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return launch_change(d_p, d_next, cells, d_sum);
}

/* Tasks 3 and 4: the same code for double and for float. */
template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate plate, stopping stop, outcome *reached) {
  const size_t cells = (size_t)plate.rows * plate.cols;
  double *d_sum = NULL, sum = 0;
  cudaError_t error = cudaMalloc(&d_sum, sizeof *d_sum);
  real *now = d_p, *next = d_work;
  *reached = (outcome){0, INFINITY};

  while (!error && reached->sweeps < stop.most && !(reached->change < stop.tolerance)) {
    const int left = stop.most - reached->sweeps, batch = left < stop.check_every ? left : stop.check_every;
    for (int k = 0; k < batch && !error; k++) {
      error = launch_sweep(now, next, plate);
      real *const swap = now;
      now = next;
      next = swap;
    }
    /* After the swap `next` is the plate before the last sweep. */
    if (!error) error = launch_change(next, now, cells, d_sum);
    if (!error) error = cudaMemcpyAsync(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost, 0);
    if (!error)
      while ((error = cudaStreamQuery(0)) == cudaErrorNotReady) continue;
    reached->sweeps += batch;
    reached->change = sqrt(sum);
  }
  if (!error && now != d_p) error = cudaMemcpy(d_p, now, cells * sizeof *d_p, cudaMemcpyDeviceToDevice);
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
  float *now = d_p, *next = d_work;
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < count && !error; k++) {
    error = launch_sweep(now, next, plate);
    float *const swap = now;
    now = next;
    next = swap;
  }
  const size_t cells = (size_t)plate.rows * plate.cols;
  if (error || now == d_p || cells == 0) return error;
  return cudaMemcpyAsync(d_p, now, cells * sizeof *d_p, cudaMemcpyDeviceToDevice, 0);
}
