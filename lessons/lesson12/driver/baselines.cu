/* baselines.cu: see baselines.h. Trusted code of the harness; it runs only when a time is measured. */
#include "baselines.h"

#define THREADS 256
#define MOST    1024

static __constant__ float c_coefficients[MOST];

static __global__ void loop_kernel(int degree, const float *x, float *y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  float sum = c_coefficients[degree];
  for (int k = degree - 1; k >= 0; k--) sum = fmaf(sum, v, c_coefficients[k]);
  y[i] = sum;
}

int loop_call(const wb_case *c) {
  const size_t degree = c->size.n[0], n = c->size.n[1];
  if (degree >= MOST) return cudaErrorInvalidValue;
  const cudaError_t error =
      cudaMemcpyToSymbolAsync(c_coefficients, wb_f32(c, 0), (degree + 1) * sizeof(float));
  if (error) return error;
  loop_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>((int)degree, wb_f32(c, 1), wb_f32(c, 2),
                                                                    n);
  return cudaGetLastError();
}

static __global__ void nothing_kernel() {}

int launch_nothing(void) {
  nothing_kernel<<<1, 1>>>();
  return cudaGetLastError();
}

int launches_call(const wb_case *c) {
  for (size_t i = 0; i < c->size.n[0]; i++) {
    const int error = launch_nothing();
    if (error) return error;
  }
  return cudaDeviceSynchronize();
}
