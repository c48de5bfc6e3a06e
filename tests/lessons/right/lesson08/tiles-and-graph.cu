/* Right, with tiles in shared memory whose halo every thread helps to load, the batch between two checks as a
 * CUDA graph in a stream of its own, and an event to wait for. */
#include "jacobi.h"
#include <math.h>

enum { SIDE = 16 };

template <class real> static __global__ void tile_kernel(const real *from, real *to, plate q) {
  __shared__ real tile[SIDE + 2][SIDE + 2];
  const int top = blockIdx.y * SIDE - 1, left = blockIdx.x * SIDE - 1;
  for (int k = threadIdx.y * SIDE + threadIdx.x; k < (SIDE + 2) * (SIDE + 2); k += SIDE * SIDE) {
    const int y = k / (SIDE + 2), x = k % (SIDE + 2), row = top + y, col = left + x;
    const bool there = row >= 0 && row < q.rows && col >= 0 && col < q.cols;
    tile[y][x] = there ? from[(size_t)row * q.cols + col] : 0;
  }
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1, row = top + y, col = left + x;
  if (row >= q.rows || col >= q.cols) return;
  real value = tile[y][x];
  if (row != 0 && col != 0 && row != q.rows - 1 && col != q.cols - 1) {
    value = tile[y - 1][x] + tile[y][x - 1] + tile[y][x + 1] + tile[y + 1][x];
    value = value / 4 + (row == q.source_row && col == q.source_col ? (real)(q.strength / 4) : 0);
  }
  to[(size_t)row * q.cols + col] = value;
}

/* A tree in shared memory, as in lesson06. */
template <class real>
static __global__ void tree_kernel(const real *a, const real *b, size_t cells, double *sum) {
  __shared__ double part[128];
  double own = 0;
  for (size_t i = (size_t)blockIdx.x * 128 + threadIdx.x; i < cells; i += (size_t)gridDim.x * 128) {
    const real d = a[i] - b[i];
    own += (double)(d * d);
  }
  part[threadIdx.x] = own;
  for (int half = 64; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(sum, part[0]);
}

template <class real> static cudaError_t one_sweep(const real *from, real *to, plate q, cudaStream_t s = 0) {
  if (!q.rows || !q.cols) return cudaSuccess;
  tile_kernel<<<dim3((q.cols + SIDE - 1) / SIDE, (q.rows + SIDE - 1) / SIDE), dim3(SIDE, SIDE), 0, s>>>(
      from, to, q);
  return cudaGetLastError();
}

template <class real>
static cudaError_t squares(const real *a, const real *b, size_t cells, double *sum, cudaStream_t s = 0) {
  cudaError_t error = cudaMemsetAsync(sum, 0, sizeof *sum, s);
  if (!error) tree_kernel<<<64, 128, 0, s>>>(a, b, cells, sum);
  return error ? error : cudaGetLastError();
}

cudaError_t sweep(const float *d_p, float *d_next, plate plate) { return one_sweep(d_p, d_next, plate); }

cudaError_t change(const float *d_p, const float *d_next, size_t cells, double *d_sum) {
  return squares(d_p, d_next, cells, d_sum);
}

/* `count` sweeps as a graph, from plates[first] on. */
template <class real>
static cudaError_t record(real *const *plates, int first, int count, plate q, cudaStream_t s,
                          cudaGraphExec_t *exec) {
  cudaGraph_t graph = NULL;
  cudaError_t error = cudaStreamBeginCapture(s, cudaStreamCaptureModeThreadLocal);
  for (int k = 0; k < count && !error; k++)
    error = one_sweep(plates[(first + k) % 2], plates[(first + k + 1) % 2], q, s);
  const cudaError_t ended = cudaStreamEndCapture(s, &graph);
  if (!error) error = ended;
  if (!error) error = cudaGraphInstantiate(exec, graph, 0);
  if (graph) cudaGraphDestroy(graph);
  return error;
}

template <class real>
static cudaError_t solve_in(real *d_p, real *d_work, plate q, stopping stop, outcome *reached, cudaStream_t s,
                            double *d_sum) {
  real *plates[2] = {d_p, d_work};
  cudaGraphExec_t batch[2] = {NULL, NULL};
  cudaError_t error = cudaSuccess;
  double sum = 0;
  reached->sweeps = 0;
  do {
    const int now = reached->sweeps % 2, left = stop.most - reached->sweeps;
    if (left >= stop.check_every) {
      if (!batch[now]) error = record(plates, now, stop.check_every, q, s, &batch[now]);
      if (!error) error = cudaGraphLaunch(batch[now], s);
      reached->sweeps += stop.check_every;
    } else
      for (int k = 0; k < left && !error; k++, reached->sweeps++)
        error = one_sweep(plates[reached->sweeps % 2], plates[(reached->sweeps + 1) % 2], q, s);
    if (!error) error = squares(plates[0], plates[1], (size_t)q.rows * q.cols, d_sum, s);
    if (!error) error = cudaMemcpyAsync(&sum, d_sum, sizeof sum, cudaMemcpyDeviceToHost, s);
    if (!error) error = cudaStreamSynchronize(s);
    reached->change = sqrt(sum);
  } while (!error && reached->sweeps < stop.most && reached->change >= stop.tolerance);
  if (!error && reached->sweeps % 2)
    error = cudaMemcpyAsync(d_p, d_work, (size_t)q.rows * q.cols * sizeof *d_p, cudaMemcpyDeviceToDevice, s);
  for (cudaGraphExec_t exec : batch)
    if (exec) cudaGraphExecDestroy(exec);
  const cudaError_t waited = cudaStreamSynchronize(s);
  return error ? error : waited;
}

template <class real>
static cudaError_t solve_any(real *d_p, real *d_work, plate q, stopping stop, outcome *reached) {
  cudaStream_t s;
  double *d_sum = NULL;
  cudaError_t error = cudaStreamCreate(&s); /* waits for what the default stream still does */
  if (error) return error;
  error = cudaMalloc(&d_sum, sizeof *d_sum);
  if (!error) error = solve_in(d_p, d_work, q, stop, reached, s, d_sum);
  cudaFree(d_sum);
  const cudaError_t gone = cudaStreamDestroy(s);
  return error ? error : gone;
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
