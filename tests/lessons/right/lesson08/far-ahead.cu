/* Right, with the host far ahead of the device: sweeps look at a flag on the device and only copy once it is
 * set, so that the host may queue eight batches before it asks how many were needed; change takes memory from
 * the stream for its blocks' sums. */
#include "jacobi.h"
#include <math.h>

/* What the device knows of the state of things. */
struct state {
  double sum;
  int sweeps, done; /* sweeps that counted; 1: the tolerance was reached */
};

/* Once done, the plate goes from one array to the other unchanged. */
template <class real>
static __global__ void sweep_unless(const real *from, real *to, plate q, const state *now) {
  const int col = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 4 + threadIdx.y;
  if (row >= q.rows || col >= q.cols) return;
  const size_t i = (size_t)row * q.cols + col;
  const bool still = (now && now->done) || row < 1 || col < 1 || row >= q.rows - 1 || col >= q.cols - 1;
  if (still) {
    to[i] = from[i];
    return;
  }
  const real heat = row == q.source_row && col == q.source_col ? (real)q.strength : 0;
  to[i] = (heat + from[i - 1] + from[i + 1] + from[i - q.cols] + from[i + q.cols]) / 4;
}

/* One block adds up everything in a fixed order. */
template <class real>
static __global__ void square_block(const real *a, const real *b, size_t cells, double *sum) {
  __shared__ double part[256];
  double own = 0;
  for (size_t i = threadIdx.x; i < cells; i += 256) own += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
  part[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x) return;
  for (int t = 1; t < 256; t++) own += part[t];
  *sum = own;
}

/* part of the check that one thread does: count the batch, and see whether it was the last */
static __global__ void judge(state *now, const double *sum, double tolerance, int batch) {
  if (now->done) return;
  now->sum = *sum;
  now->sweeps += batch;
  now->done = sqrt(*sum) < tolerance;
}

template <class real>
static cudaError_t one_sweep(const real *from, real *to, plate q, const state *now = NULL) {
  if (q.rows < 1 || q.cols < 1) return cudaSuccess;
  sweep_unless<<<dim3((q.rows + 3) / 4, (q.cols + 31) / 32), dim3(32, 4)>>>(from, to, q, now);
  return cudaGetLastError();
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return one_sweep(d_p, d_next, plate); }

/* A place for each block, in memory that the stream allocates and frees in its turn. */
static __global__ void square_blocks(const float *a, const float *b, size_t cells, double *sums) {
  const size_t each = (cells + gridDim.x - 1) / gridDim.x, from = min(cells, blockIdx.x * each);
  __shared__ double part[256];
  double own = 0;
  for (size_t i = from + threadIdx.x; i < min(cells, from + each); i += 256)
    own += ((double)a[i] - b[i]) * ((double)a[i] - b[i]);
  part[threadIdx.x] = own;
  __syncthreads();
  if (threadIdx.x) return;
  for (int t = 1; t < 256; t++) own += part[t];
  sums[blockIdx.x] = own;
}

static __global__ void add_places(const double *sums, int count, double *sum) {
  double all = 0;
  for (int k = 0; k < count; k++) all += sums[k];
  *sum = all;
}

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  const int blocks = 20;
  double *d_sums;
  cudaError_t error = cudaMallocAsync((void **)&d_sums, blocks * sizeof *d_sums, 0);
  if (error) return error;
  square_blocks<<<blocks, 256>>>(d_p, d_next, cells, d_sums);
  error = cudaGetLastError();
  if (!error) {
    add_places<<<1, 1>>>(d_sums, blocks, d_sum);
    error = cudaGetLastError();
  }
  const cudaError_t freed = cudaFreeAsync(d_sums, 0);
  return error ? error : freed;
}

template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate q, stopping stop, outcome *reached) {
  struct room {
    state now;
    double sum;
  } *d = nullptr;
  state seen = {0, 0, 0};
  real *from = d_p, *to = d_work;
  cudaError_t error = cudaMalloc((void **)&d, sizeof *d);
  if (!error) error = cudaMemset(d, 0, sizeof *d);
  for (int queued = 0, checks = 1; !error && !seen.done && queued < stop.most; checks++) {
    const int left = stop.most - queued, batch = left < stop.check_every ? left : stop.check_every;
    for (int k = 0; k < batch && !error; k++) {
      error = one_sweep(from, to, q, &d->now);
      real *other = from;
      from = to, to = other;
    }
    queued += batch;
    if (error) break;
    square_block<<<1, 256>>>(from, to, (size_t)q.rows * q.cols, &d->sum);
    judge<<<1, 1>>>(&d->now, &d->sum, stop.tolerance, batch);
    error = cudaGetLastError();
    if (!error && (checks % 8 == 0 || queued == stop.most))
      error = cudaMemcpy(&seen, &d->now, sizeof seen, cudaMemcpyDeviceToHost);
  }
  *reached = (outcome){seen.sweeps, sqrt(seen.sum)};
  if (!error && from == d_work)
    error = cudaMemcpy(d_p, d_work, (size_t)q.rows * q.cols * sizeof *d_p, cudaMemcpyDeviceToDevice);
  cudaFree(d);
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
