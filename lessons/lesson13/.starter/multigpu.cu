/*
 * lesson13, multigpu: one plate on several devices.
 *
 * Each device sweeps a part of whole rows. Before the next sweep it needs the row above its part and the row below
 * it, which its neighbours have just computed: the halo.
 *
 * multigpu.h says what each function must do. Rows are counted as in the plate, also within a part.
 */
#include "multigpu.h"
#include <math.h>
#include <vector>

/* A part of the plate on its device. */
struct part {
  int device;
  int first, end;        /* it owns the rows first .. end - 1 */
  int top, bottom;       /* its arrays hold the rows top .. bottom - 1: its own, and a halo at either side */
  float *d_now, *d_next; /* before and after a sweep */
  cudaStream_t stream;   /* its kernels, in task 2 those of the interior */
  cudaStream_t border;   /* in task 2 the kernels of its first and last row, and the copies */
  cudaEvent_t sent;      /* its rows have reached its neighbours */
  cudaEvent_t swept;     /* its last sweep is done; in task 2 that of the interior */
  cudaEvent_t bordered;  /* in task 2 that of the first and last row is done */
};

/* Where `row` of the plate is in one of the part's arrays. */
static float *at(const part &p, float *d_rows, plate plate, int row) {
  return d_rows + (size_t)(row - p.top) * plate.cols;
}

static unsigned ceil_div(int n, int d) { return (unsigned)(((long long)n + d - 1) / d); }

/* lesson08's sweep, of the rows first .. end - 1. Both arrays begin with row `top`. */
static __global__ void sweep_kernel(const float *d_now, float *d_next, plate plate, int top, int first,
                                    int end) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = first + blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= end || col >= plate.cols) return;
  const size_t i = (size_t)(row - top) * plate.cols + col;
  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) {
    d_next[i] = d_now[i];
    return;
  }
  float sum = (d_now[i - plate.cols] + d_now[i + plate.cols]) + (d_now[i - 1] + d_now[i + 1]);
  if (row == plate.source_row && col == plate.source_col) sum += plate.strength;
  d_next[i] = sum / 4;
}

/* Four cells of a row. The plate's edge has nothing beyond it, and needs nothing from there. */
static __device__ float4 four(const float *d_row, bool there) {
  return there ? *(const float4 *)d_row : make_float4(0, 0, 0, 0);
}

static __device__ float relaxed(float up, float down, float left, float right, float old, plate plate,
                                int row, int col) {
  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) return old;
  float sum = (up + down) + (left + right);
  if (row == plate.source_row && col == plate.source_col) sum += plate.strength;
  return sum / 4;
}

/* The same where rows are whole float4s: a thread does four cells in each of two rows. Loads of 16 bytes keep more of
 * them in flight, and a large plate takes about half the time (lesson08). */
static __global__ void sweep_wide_kernel(const float *d_now, float *d_next, plate plate, int top, int first,
                                         int end) {
  const int cols = plate.cols, col = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  const int start = first + 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (start >= end || col >= cols) return;
  size_t i = (size_t)(start - top) * cols + col;
  float4 up = four(d_now + i - cols, start > 0), mid = four(d_now + i, true);
  for (int row = start; row < start + 2 && row < end; row++, i += cols) {
    const float4 down = four(d_now + i + cols, row + 1 < plate.rows);
    const float left = col > 0 ? d_now[i - 1] : 0, right = col + 4 < cols ? d_now[i + 4] : 0;
    *(float4 *)(d_next + i) = make_float4(relaxed(up.x, down.x, left, mid.y, mid.x, plate, row, col),
                                          relaxed(up.y, down.y, mid.x, mid.z, mid.y, plate, row, col + 1),
                                          relaxed(up.z, down.z, mid.y, mid.w, mid.z, plate, row, col + 2),
                                          relaxed(up.w, down.w, mid.z, right, mid.w, plate, row, col + 3));
    up = mid;
    mid = down;
  }
}

/* Queues a sweep of the rows first .. end - 1 of a part; there may be none. The part's device is the current one. */
static cudaError_t sweep_rows(const part &p, plate plate, int first, int end, cudaStream_t stream) {
  if (first >= end) return cudaSuccess;
  const bool wide = plate.cols % 4 == 0;
  const auto kernel = wide ? sweep_wide_kernel : sweep_kernel;
  const dim3 threads(32, 8),
      blocks(ceil_div(plate.cols, wide ? 128 : 32), ceil_div(end - first, wide ? 16 : 8));
  kernel<<<blocks, threads, 0, stream>>>(p.d_now, p.d_next, plate, p.top, first, end);
  return cudaGetLastError();
}

static void swap_arrays(part &p) {
  float *const swept = p.d_next;
  p.d_next = p.d_now;
  p.d_now = swept;
}

/* Adds the squares of the differences of `cells` cells to *d_sum: a warp by shuffles, then an atomic. */
static __global__ void change_kernel(const float *d_now, const float *d_next, size_t cells, double *d_sum) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  double sum = 0;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < cells; i += stride) {
    const double difference = (double)d_next[i] - (double)d_now[i];
    sum += difference * difference;
  }
  for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffff, sum, apart);
  if (threadIdx.x % 32 == 0) atomicAdd(d_sum, sum);
}

/* TODO task 1: functions that make a part on its device, send its first and last row to the neighbours, and
 * release a part. Tasks 2 and further can use them, too. */

cudaError_t sweeps(float *d_p, plate plate, int devices, int count) {
  /* TODO task 1: make the parts; in each sweep let every device wait for its halo, sweep, and send its first
   * and last row; then bring the parts together in d_p. */
  return cudaSuccess;
}

cudaError_t sweeps_hidden(float *d_p, plate plate, int devices, int count) {
  /* TODO task 2: two streams for each part. What must be done before a row can be sent? And which rows can be
   * swept while it travels? */
  return cudaSuccess;
}

/* TODO task 3: functions that make a rank's part, and exchange rows with its neighbours by NCCL. Why in a group? */

cudaError_t sweeps_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, int count) {
  /* TODO task 3: join the others, and in each sweep exchange rows before you sweep. */
  return cudaSuccess;
}

/* TODO task 4: the change of the whole plate, in every rank. Which ranks must take part? */

cudaError_t solve_rank(float *d_rows, plate plate, int rank, int ranks, ncclUniqueId id, stopping stop,
                       outcome *reached) {
  /* TODO task 4: as task 3, with a check after every check_every-th sweep. All ranks must stop at the same. */
  return cudaSuccess;
}

/* TODO go further: how many rows shall a halo have? */

cudaError_t sweeps_deep(float *d_p, plate plate, int devices, int count) {
  /* TODO go further: a halo of several rows. Which of its rows are still right after one sweep, after two? */
  return cudaSuccess;
}
