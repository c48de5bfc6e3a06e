/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#include "baselines.h"
#include "problem.h"

static __global__ void plain_kernel(const float *d_now, float *d_next, plate plate) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= plate.rows || col >= plate.cols) return;
  const size_t i = (size_t)row * plate.cols + col;
  const bool edge = row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1;
  if (edge) {
    d_next[i] = d_now[i];
  } else {
    float around = (d_now[i - plate.cols] + d_now[i + plate.cols]) + (d_now[i - 1] + d_now[i + 1]);
    if (row == plate.source_row && col == plate.source_col) around += plate.strength;
    d_next[i] = around / 4;
  }
}

/* Four cells from column col on; outside the plate zeros, which are not used. */
static __device__ float4 four(const float *d_now, int row, int col, plate plate) {
  if (row < 0 || row >= plate.rows) return make_float4(0, 0, 0, 0);
  return *(const float4 *)(d_now + (size_t)row * plate.cols + col);
}

static __device__ float relaxed(float up, float down, float left, float right, float old, int row, int col,
                                plate plate) {
  if (row == 0 || row == plate.rows - 1 || col == 0 || col == plate.cols - 1) return old;
  const float around = (up + down) + (left + right);
  return (row == plate.source_row && col == plate.source_col ? around + plate.strength : around) / 4;
}

static __global__ void wide_kernel(const float *d_now, float *d_next, plate plate) {
  const int col = 4 * (blockIdx.x * blockDim.x + threadIdx.x),
            first = 2 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (first >= plate.rows || col >= plate.cols) return;
  float4 up = four(d_now, first - 1, col, plate), mid = four(d_now, first, col, plate);
  for (int row = first; row < first + 2 && row < plate.rows; row++) {
    const float *p = d_now + (size_t)row * plate.cols + col;
    const float4 down = four(d_now, row + 1, col, plate);
    const float left = col == 0 ? 0 : p[-1], right = col + 4 < plate.cols ? p[4] : 0;
    *(float4 *)(d_next + (size_t)row * plate.cols + col) =
        make_float4(relaxed(up.x, down.x, left, mid.y, mid.x, row, col, plate),
                    relaxed(up.y, down.y, mid.x, mid.z, mid.y, row, col + 1, plate),
                    relaxed(up.z, down.z, mid.y, mid.w, mid.z, row, col + 2, plate),
                    relaxed(up.w, down.w, mid.z, right, mid.w, row, col + 3, plate));
    up = mid;
    mid = down;
  }
}

/* `count` sweeps; each thread of a block of 32 x 8 does `wide` cells in each of `tall` rows. The result may end in
 * the second array: only the time counts. */
static int run(const wb_case *c, void (*kernel)(const float *, float *, plate), int wide, int tall) {
  const plate plate = problem_plate(c);
  float *now = wb_f32(c, P), *next = NULL, *work = NULL;
  const dim3 threads(32, 8),
      blocks((plate.cols + 32 * wide - 1) / (32 * wide), (plate.rows + 8 * tall - 1) / (8 * tall));
  cudaError_t error = cudaMalloc(&work, (size_t)plate.rows * plate.cols * sizeof *work);
  next = work;
  for (size_t k = 0; k < c->size.n[COUNT] && !error; k++) {
    kernel<<<blocks, threads>>>(now, next, plate);
    error = cudaGetLastError();
    float *const swept = next;
    next = now;
    now = swept;
  }
  const cudaError_t freed = cudaFree(work); /* after the kernels */
  return error ? error : freed;
}

/* As lesson08: the fastest kernel of one sweep. */
int one_device_call(const wb_case *c) {
  return c->size.n[COLS] % 4 == 0 ? run(c, wide_kernel, 4, 2) : run(c, plain_kernel, 1, 1);
}
