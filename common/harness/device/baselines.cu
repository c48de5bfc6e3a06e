/* device/baselines.cu: the baselines that many lessons share; see wb.h. They run in the worker, on the
 * same device, in turn with the learner's function. */
#include "wb.h"
#include "model/arena.h"
#include <cuda_runtime_api.h>

#define THREADS 256

/* ---- copy: the device's own way of moving bytes ---- */

static __global__ void copy_kernel(const float4 *d_from, float4 *d_to, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_to[i] = d_from[i];
}

/* Half of the case's bytes are read and half are written. */
static size_t vectors(const wb_case *c) { return wb_case_bytes(c) / 2 / sizeof(float4); }

int wb_copy_call(const wb_case *c) {
  static float4 *d_from, *d_to; /* kept between calls: a copy includes no allocation */
  static size_t room;
  const size_t count = vectors(c);
  if (count > room) {
    cudaFree(d_from);
    cudaFree(d_to);
    room = 0;
    cudaError_t error = cudaMalloc(&d_from, count * sizeof(float4));
    if (!error) error = cudaMalloc(&d_to, count * sizeof(float4));
    if (!error) error = cudaMemset(d_from, 0x3C, count * sizeof(float4));
    if (error) return (int)error;
    room = count;
  }
  if (count == 0) return 0;
  copy_kernel<<<(unsigned)((count + THREADS - 1) / THREADS), THREADS>>>(d_from, d_to, count);
  return (int)cudaGetLastError();
}

double wb_copy_work(const wb_case *c) { return 2.0 * sizeof(float4) * (double)vectors(c); }

/* ---- five steps: allocate, copy in, launch, copy out, free ---- */

static __global__ void add_kernel(const float *d_a, const float *d_b, float *d_c, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_c[i] = d_a[i] + d_b[i];
}

int wb_five_steps_call(const wb_case *c) {
  const size_t n = c->size.n[0], bytes = n * sizeof(float);
  if (n == 0) return 0;
  float *d_x = NULL, *d_y = NULL, *d_sum = NULL;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (!error) error = cudaMalloc(&d_y, bytes);
  if (!error) error = cudaMalloc(&d_sum, bytes);
  if (!error) error = cudaMemcpy(d_x, wb_f32(c, 0), bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(d_y, wb_f32(c, 1), bytes, cudaMemcpyHostToDevice);
  if (!error) {
    add_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(d_x, d_y, d_sum, n);
    error = cudaGetLastError();
  }
  if (!error) error = cudaMemcpy(wb_f32(c, 2), d_sum, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_sum);
  return (int)error;
}
