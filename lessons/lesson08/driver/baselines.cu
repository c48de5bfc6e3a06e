/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#include "baselines.h"
#include "problem.h"

#include <math.h>

template <class real> static __global__ void simple_kernel(const real *d_p, real *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= plate.rows || col >= plate.cols) return;
  const size_t i = (size_t)row * plate.cols + col;
  const bool edge = row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1;
  if (edge) {
    d_next[i] = d_p[i];
  } else {
    real around = (d_p[i - plate.cols] + d_p[i + plate.cols]) + (d_p[i - 1] + d_p[i + 1]);
    if (row == plate.source_row && col == plate.source_col) around += (real)plate.strength;
    d_next[i] = around / 4;
  }
}

/* Adds the squares of the differences to *d_sum: a warp by shuffles, then an atomic. */
static __global__ void difference_kernel(const double *d_p, const double *d_next, size_t cells,
                                         double *d_sum) {
  double part = 0;
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += stride)
    part += (d_next[i] - d_p[i]) * (d_next[i] - d_p[i]);
  for (int apart = 16; apart > 0; apart /= 2) part += __shfl_down_sync(0xffffffff, part, apart);
  if (threadIdx.x % 32 == 0) atomicAdd(d_sum, part);
}

/* Queues `count` sweeps; *now and *next have changed places after each. */
template <class real> static cudaError_t queue(real **now, real **next, plate plate, int count) {
  const dim3 threads(32, 8), blocks((plate.cols + 31) / 32, (plate.rows + 7) / 8);
  for (int k = 0; k < count; k++) {
    simple_kernel<<<blocks, threads>>>(*now, *next, plate);
    real *const swap = *now;
    *now = *next;
    *next = swap;
  }
  return cudaGetLastError();
}

int simple_solve_call(const wb_case *c) {
  const plate plate = problem_plate(c);
  const stopping stop = problem_stop(c);
  const size_t cells = (size_t)plate.rows * plate.cols;
  double *now = wb_f64(c, SOLVE_P), *next = wb_f64(c, SOLVE_WORK), *d_sum = NULL, sum = INFINITY;
  if (cells == 0) return cudaSuccess;
  cudaError_t error = cudaMalloc(&d_sum, sizeof *d_sum);
  for (int done = 0; done < stop.most && !error && !(sqrt(sum) < stop.tolerance);) {
    const int left = stop.most - done, batch = left < stop.check_every ? left : stop.check_every;
    error = queue(&now, &next, plate, batch);
    if (!error) error = cudaMemsetAsync(d_sum, 0, sizeof *d_sum, 0);
    if (!error) difference_kernel<<<256, 256>>>(next, now, cells, d_sum);
    if (!error) error = cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    done += batch;
  }
  const cudaError_t last = cudaFree(d_sum);
  return error ? error : last;
}

int simple_sweeps_call(const wb_case *c) {
  const plate plate = problem_plate(c);
  float *now = wb_f32(c, SWEEPS_P), *next = wb_f32(c, SWEEPS_WORK);
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess;
  return queue(&now, &next, plate, (int)c->size.n[COUNT]);
}
