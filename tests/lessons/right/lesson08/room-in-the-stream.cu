/* change with room of its own, allocated in the order of the stream; the rest in plain ways. */
#include "jacobi.h"
#include <math.h>
#define WARP 32
static unsigned ceil_div(size_t n, size_t d) { return (unsigned)((n + d - 1) / d); }
template <class real> static __global__ void sweep_kernel(const real *d_p, real *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col >= plate.cols) return;
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < plate.rows; row += gridDim.y * blockDim.y) {
    const size_t at = (size_t)row * plate.cols + col;
    if (row == 0 || col == 0 || row == plate.rows - 1 || col == plate.cols - 1) {
      d_next[at] = d_p[at];
      continue;
    }
    real v = (real)0.25 * ((d_p[at - plate.cols] + d_p[at + plate.cols]) + (d_p[at - 1] + d_p[at + 1]));
    if (row == plate.source_row && col == plate.source_col) v += (real)(0.25 * plate.strength);
    d_next[at] = v;
  }
}
template <class real> static cudaError_t launch_sweep(const real *d_p, real *d_next, plate plate) {
  if (plate.rows == 0 || plate.cols == 0) return cudaSuccess;
  unsigned rows = ceil_div(plate.rows, 8);
  if (rows > 65535) rows = 65535;
  sweep_kernel<<<dim3(ceil_div(plate.cols, 32), rows), dim3(32, 8)>>>(d_p, d_next, plate);
  return cudaGetLastError();
}
cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return launch_sweep(d_p, d_next, plate); }
/* d_part[b] = the sum of block b. */
template <class real>
static __global__ void parts_kernel(const real *d_p, const real *d_next, size_t cells, double *d_part) {
  __shared__ double s[256];
  double v = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells;
       i += (size_t)gridDim.x * blockDim.x) {
    const double d = (double)d_next[i] - (double)d_p[i];
    v += d * d;
  }
  s[threadIdx.x] = v;
  for (unsigned half = 128; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
  }
  if (threadIdx.x == 0) d_part[blockIdx.x] = s[0];
}

static __global__ void join_kernel(const double *d_part, unsigned parts, double *d_sum) {
  double v = 0;
  for (unsigned k = threadIdx.x; k < parts; k += WARP) v += d_part[k];
  for (int step = WARP / 2; step > 0; step /= 2) v += __shfl_down_sync(0xffffffffu, v, step);
  if (threadIdx.x == 0) *d_sum = v;
}

/* The room for the blocks' sums is allocated and freed in the order of the stream: the host does not wait. */
template <class real>
static cudaError_t launch_change(const real *d_p, const real *d_next, size_t cells, double *d_sum) {
  unsigned blocks = ceil_div(cells, 2048);
  if (blocks == 0) blocks = 1;
  if (blocks > 1024) blocks = 1024;
  double *d_part = NULL;
  cudaError_t e = cudaMallocAsync((void **)&d_part, blocks * sizeof(double), 0);
  if (e) return e;
  parts_kernel<<<blocks, 256>>>(d_p, d_next, cells, d_part);
  e = cudaGetLastError();
  if (!e) {
    join_kernel<<<1, WARP>>>(d_part, blocks, d_sum);
    e = cudaGetLastError();
  }
  const cudaError_t f = cudaFreeAsync(d_part, 0);
  return e ? e : f;
}

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return launch_change(d_p, d_next, cells, d_sum);
}
template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate plate, stopping stop, outcome *reached) {
  const size_t cells = (size_t)plate.rows * plate.cols;
  double *d_sum = NULL;
  cudaError_t e = cudaMalloc((void **)&d_sum, sizeof(double));
  if (e) return e;
  real *from = d_p, *to = d_work;
  double change = 0;
  int done = 0;
  while (!e && done < stop.most) {
    e = launch_sweep(from, to, plate);
    done++;
    if (!e && (done % stop.check_every == 0 || done == stop.most)) {
      double sum = 0;
      e = launch_change(from, to, cells, d_sum);
      if (!e) e = cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
      change = sqrt(sum);
    }
    real *swap = from;
    from = to;
    to = swap;
    if (done % stop.check_every == 0 && change < stop.tolerance) break;
  }
  if (!e && from != d_p) e = cudaMemcpyAsync(d_p, from, cells * sizeof(real), cudaMemcpyDeviceToDevice, 0);
  cudaError_t f = cudaFree(d_sum);
  if (!e) e = f;
  reached->sweeps = done;
  reached->change = change;
  return e;
}
cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}
cudaError_t solve_float(float *d_p, float *d_work, plate plate, stopping stop, outcome *reached) {
  return solve_any(d_p, d_work, plate, stop, reached);
}
cudaError_t sweeps(float *d_p, float *d_work, plate plate, int count) {
  float *from = d_p, *to = d_work;
  for (int i = 0; i < count; i++) {
    cudaError_t e = launch_sweep(from, to, plate);
    if (e) return e;
    float *swap = from;
    from = to;
    to = swap;
  }
  const size_t bytes = (size_t)plate.rows * plate.cols * sizeof(float);
  if (from != d_p && bytes) return cudaMemcpyAsync(d_p, from, bytes, cudaMemcpyDeviceToDevice, 0);
  return cudaSuccess;
}
