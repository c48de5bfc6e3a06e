// task: 3
// wants: the plates change places by their pointers
// says: swap the two pointers
// Each sweep is copied back by atomicExch, which is no store.
//@solution solve
#ifndef HONEST
#include <math.h>
template <class real> static __global__ void plain_sweep(const real *d_p, real *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= plate.rows || col >= plate.cols) return;
  const size_t i = (size_t)row * plate.cols + col;
  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) {
    d_next[i] = d_p[i];
    return;
  }
  real sum = (d_p[i - plate.cols] + d_p[i + plate.cols]) + (d_p[i - 1] + d_p[i + 1]);
  if (row == plate.source_row && col == plate.source_col) sum += (real)plate.strength;
  d_next[i] = sum / 4;
}
/* One block adds up the change. */
template <class real>
static __global__ void change_of(const real *a, const real *b, size_t cells, double *sum, int *done) {
  __shared__ double part[256];
  double mine = 0;
  for (size_t i = threadIdx.x; i < cells; i += 256) {
    const double d = (double)a[i] - (double)b[i];
    mine += d * d;
  }
  part[threadIdx.x] = mine;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) {
    *(volatile double *)sum = part[0];
    __threadfence_system();
    if (done) *(volatile int *)done = 1;
  }
}
static __global__ void back_kernel(double *from, double *to, size_t cells) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < cells) atomicExch((unsigned long long *)to + i, ((unsigned long long *)from)[i]);
}
static cudaError_t sweep_and_copy_back(double *d_p, double *d_work, plate plate, stopping stop,
                                       outcome *reached) {
  const size_t cells = (size_t)plate.rows * plate.cols;
  double *d_sum, sum;
  cudaError_t error = cudaMalloc(&d_sum, sizeof *d_sum);
  if (error) return error;
  const dim3 threads(32, 8), blocks(ceil_div(plate.cols, 32), ceil_div(plate.rows, 8));
  reached->sweeps = 0;
  while (reached->sweeps < stop.most && !error) {
    plain_sweep<<<blocks, threads>>>(d_p, d_work, plate);
    reached->sweeps++;
    const bool look = reached->sweeps % stop.check_every == 0 || reached->sweeps == stop.most;
    if (look) change_of<<<1, 256>>>(d_p, d_work, cells, d_sum, (int *)0);
    back_kernel<<<ceil_div(cells, 256), 256>>>(d_work, d_p, cells);
    error = cudaGetLastError();
    if (look && !error) {
      error = cudaMemcpy(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost);
      reached->change = sqrt(sum);
      if (reached->change < stop.tolerance) break;
    }
  }
  const cudaError_t freed = cudaFree(d_sum);
  return error ? error : freed;
}
cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return sweep_and_copy_back(d_p, d_work, plate, stop, reached);
}
#else
cudaError_t solve(double *d_p, double *d_work, plate plate, stopping stop, outcome *reached) {
  return honest_solve(d_p, d_work, plate, stop, reached);
}
#endif
