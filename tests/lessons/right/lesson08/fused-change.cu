/* Right, with the change summed by the sweep itself at a check, four rows a thread, a warp's sums by an
 * atomic each, and the number fetched through pinned memory. */
#include "jacobi.h"
#include <math.h>

/* sum: NULL for a sweep whose change is not needed. */
template <class real> static __global__ void rows_kernel(const real *from, real *to, plate q, double *sum) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, first = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  double own = 0;
  for (int row = first; row < first + 4 && row < q.rows && col < q.cols; row++) {
    const real *mid = from + (size_t)row * q.cols + col;
    real value = *mid;
    const bool edge = !row || !col || row == q.rows - 1 || col == q.cols - 1;
    if (!edge) {
      const real heat = row == q.source_row && col == q.source_col ? (real)q.strength : (real)0;
      value = (mid[-1] + mid[1] + (mid[-q.cols] + mid[q.cols]) + heat) / 4;
    }
    to[(size_t)row * q.cols + col] = value;
    own += ((double)value - *mid) * ((double)value - *mid);
  }
  if (!sum) return;
  for (int lane = 1; lane < 32; lane *= 2) own += __shfl_xor_sync(~0u, own, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

static __global__ void squares_kernel(const float *a, const float *b, size_t cells, double *sum) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  double own = 0;
  if (i < cells) own = ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
  for (int lane = 1; lane < 32; lane *= 2) own += __shfl_xor_sync(~0u, own, lane);
  if (threadIdx.x % 32 == 0) atomicAdd(sum, own);
}

template <class real> static cudaError_t one_sweep(const real *from, real *to, plate q, double *sum = NULL) {
  if ((size_t)q.rows * q.cols == 0) return cudaSuccess;
  const dim3 block(64, 2), grid((q.cols + 63) / 64, (q.rows + 7) / 8);
  rows_kernel<<<grid, block>>>(from, to, q, sum);
  return cudaGetLastError();
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return one_sweep(d_p, d_next, plate); }

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  const cudaError_t error = cudaMemsetAsync(d_sum, 0, sizeof *d_sum);
  if (!error && cells) squares_kernel<<<(unsigned)((cells + 511) / 512), 512>>>(d_p, d_next, cells, d_sum);
  return error ? error : cudaGetLastError();
}

template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate q, stopping stop, outcome *reached) {
  double *d_sum = NULL, *h_sum = NULL;
  real *from = d_p, *to = d_work;
  cudaError_t error = cudaMalloc(&d_sum, sizeof *d_sum);
  if (!error) error = cudaMallocHost(&h_sum, sizeof *h_sum);
  bool done = false;
  for (int k = 1; !error && !done; k++) {
    const bool look = k % stop.check_every == 0 || k == stop.most;
    if (look) error = cudaMemsetAsync(d_sum, 0, sizeof *d_sum);
    if (!error) error = one_sweep(from, to, q, look ? d_sum : NULL);
    if (!error && look) error = cudaMemcpy(h_sum, d_sum, sizeof *h_sum, cudaMemcpyDeviceToHost);
    if (look && !error) *reached = (outcome){k, sqrt(*h_sum)};
    done = look && !error && (reached->change < stop.tolerance || k == stop.most);
    real *other = from;
    from = to;
    to = other;
  }
  if (!error && from != d_p)
    error = cudaMemcpy(d_p, from, (size_t)q.rows * q.cols * sizeof *from, cudaMemcpyDeviceToDevice);
  cudaFreeHost(h_sum);
  cudaFree(d_sum);
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
