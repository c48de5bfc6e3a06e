/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#include "baselines.h"
#include <cuda_runtime_api.h>

/* A case, with names. */
typedef struct job {
  size_t rows, columns, pitch;
  float factor;
} job;

static job job_of(const wb_case *c) {
  return (job){c->size.n[ROWS], c->size.n[COLUMNS], c->size.n[COLUMNS] + c->size.n[PADDING],
               (float)c->param[0]};
}

/* ---- x down the column ---- */

static __global__ void column_along_x_kernel(float *d_m, job j) {
  const size_t row = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const size_t column = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < j.rows && column < j.columns) d_m[row * j.pitch + column] *= j.factor;
}

int column_along_x_call(const wb_case *c) {
  const job j = job_of(c);
  const dim3 block(32, 8), grid((unsigned)((j.rows + 31) / 32), (unsigned)((j.columns + 7) / 8));
  if (j.rows == 0 || j.columns == 0) return cudaSuccess;
  column_along_x_kernel<<<grid, block>>>(wb_f32(c, D_M), j);
  return cudaGetLastError();
}
