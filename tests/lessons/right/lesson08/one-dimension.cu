/* Right, in one dimension: strides of the whole grid, row and column by division; an atomic a thread; plates
 * distinguished by the number of the sweep instead of a swap; a loop that goes from check to check. */
#include "jacobi.h"
#include <math.h>

template <class real> static __global__ void sweep_cells(const real *from, real *to, plate q) {
  const size_t cells = (size_t)q.rows * q.cols, stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += stride) {
    const int row = (int)(i / q.cols), col = (int)(i % q.cols);
    real value = from[i];
    if (row > 0 && col > 0 && row + 1 < q.rows && col + 1 < q.cols) {
      value = from[i - 1] + from[i + 1] + from[i - q.cols] + from[i + q.cols];
      if (row == q.source_row && col == q.source_col) value += (real)q.strength;
      value *= (real)0.25;
    }
    to[i] = value;
  }
}

template <class real>
static __global__ void add_squares(const real *a, const real *b, size_t cells, double *sum) {
  double own = 0;
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += gridDim.x * blockDim.x)
    own += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
  if (own > 0) atomicAdd(sum, own);
}

template <class real> static cudaError_t one_sweep(const real *from, real *to, plate q) {
  sweep_cells<<<40, 96>>>(from, to, q);
  return cudaGetLastError();
}

template <class real>
static cudaError_t sum_of_squares(const real *a, const real *b, size_t cells, double *sum) {
  const cudaError_t error = cudaMemset(sum, 0, sizeof *sum);
  if (error) return error;
  add_squares<<<3, 1024>>>(a, b, cells, sum);
  return cudaGetLastError();
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return one_sweep(d_p, d_next, plate); }

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return sum_of_squares(d_p, d_next, cells, d_sum);
}

template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate q, stopping stop, outcome *reached) {
  const size_t cells = (size_t)q.rows * q.cols;
  real *plates[] = {d_p, d_work};
  double *d_sum, sum;
  cudaError_t error = cudaMalloc((void **)&d_sum, sizeof *d_sum);
  if (error) return error;
  int k = 0;
  for (;;) {
    do {
      error = one_sweep(plates[k & 1], plates[~k & 1], q);
      k++;
    } while (!error && k < stop.most && k % stop.check_every != 0);
    if (!error) error = sum_of_squares(plates[0], plates[1], cells, d_sum);
    if (!error) error = cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
    if (error) break;
    *reached = (outcome){k, sqrt(sum)};
    if (sum < stop.tolerance * stop.tolerance || k == stop.most) break;
  }
  cudaFree(d_sum);
  if (!error && k & 1) error = cudaMemcpy(d_p, d_work, cells * sizeof(real), cudaMemcpyDeviceToDevice);
  return error;
}

cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}

cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}

cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
  float *plates[2] = {d_p, d_work};
  cudaError_t error = cudaSuccess;
  for (int k = 0; k < count && !error; k++) error = one_sweep(plates[k % 2], plates[(k + 1) % 2], plate);
  const size_t bytes = (size_t)plate.rows * plate.cols * sizeof(float);
  if (!error && count % 2 && bytes) error = cudaMemcpy(d_p, d_work, bytes, cudaMemcpyDeviceToDevice);
  return error;
}
