/* yardsticks.cu: see yardsticks.h. Trusted code of the harness; it runs only where a time is taken. */
#include "yardsticks.h"
#include <cuda_runtime_api.h>
#include <sched.h>
#include <stdlib.h>
#include <thread>
#include <vector>

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

/* ---- The host's cores ---- */

static void scale_rows(float *h_m, const job *j, size_t first, size_t last) {
  for (size_t row = first; row < last; row++)
    for (size_t column = 0; column < j->columns; column++) h_m[row * j->pitch + column] *= j->factor;
}

/* The memory is kept from call to call: allocation is no part of the work. Each core has its rows, and in the
 * first call touches their memory before others do, so that it lies near. */
typedef struct memory {
  float *h_m;
  size_t room;
} memory;

static int scale_on_host(const wb_case *c, size_t cores, memory *m) {
  const job j = job_of(c);
  if (j.rows * j.pitch > m->room) {
    free(m->h_m);
    m->h_m = (float *)calloc(j.rows * j.pitch, sizeof(float));
    m->room = m->h_m ? j.rows * j.pitch : 0;
    if (!m->h_m) return cudaErrorMemoryAllocation;
  }
  std::vector<std::thread> others;
  for (size_t k = 1; k < cores; k++)
    others.emplace_back(scale_rows, m->h_m, &j, j.rows * k / cores, j.rows * (k + 1) / cores);
  scale_rows(m->h_m, &j, 0, j.rows / cores);
  for (std::thread &other : others) other.join();
  return cudaSuccess;
}

int one_core_call(const wb_case *c) {
  static memory own;
  return scale_on_host(c, 1, &own);
}

int all_cores_call(const wb_case *c) {
  static memory own;
  cpu_set_t cores;
  const int count = sched_getaffinity(0, sizeof cores, &cores) ? 1 : CPU_COUNT(&cores);
  return scale_on_host(c, (size_t)count, &own);
}
