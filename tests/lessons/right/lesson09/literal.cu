/* Right in another way: the inputs are read where they are needed, several times; one
 * loop for all functions, chosen by a number; the plainest crossing. */
#include "elementwise.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

__global__ void choose(int which, const float *d_x, float *d_y, size_t n, float a, float b, float c, float d,
                       int k) {
  for (size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x; i < n; i += blockDim.x * (size_t)gridDim.x) {
    switch (which) {
    case 1:
      d_y[i] = isinf(d_x[i]) || isnan(d_x[i]) ? NAN : sinf(d_x[i]);
      break;
    case 2:
      d_y[i] = d_x[i] > 0.0f ? 1.05070099f * d_x[i] : 1.05070099f * (1.67326324f * expm1f(d_x[i]));
      break;
    case 3:
      d_y[i] = c + (d - c) / (1.0f + expf(-((d_x[i] - a) * b)));
      break;
    default: {
      float sum = 0;
      for (int j = 0; j < k; j++) {
        const float x = d_x[i] / (float)(1ull << j);
        const float turns = rintf(x * 0.159154943f);
        sum += __sinf(fmaf(turns, 1.74845553e-7f, fmaf(turns, -6.28318548f, x)));
      }
      d_y[i] = sum;
    }
    }
  }
}

__global__ void wide(const double *d_x, double *d_y, size_t n) {
  for (size_t i = threadIdx.x + blockIdx.x * (size_t)blockDim.x; i < n; i += blockDim.x * (size_t)gridDim.x)
    d_y[i] = sin(d_x[i]);
}

static cudaError_t run(int which, const float *d_x, float *d_y, size_t n, float a = 0, float b = 0,
                       float c = 0, float d = 0, int k = 0) {
  choose<<<1 + (unsigned)(n / 8192), 64>>>(which, d_x, d_y, n, a, b, c, d, k);
  return cudaGetLastError();
}

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) { return run(1, d_x, d_y, n); }

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) {
  wide<<<1 + (unsigned)(n / 8192), 96>>>(d_x, d_y, n);
  return cudaGetLastError();
}

cudaError_t selu(const float *d_x, float *d_y, size_t n) { return run(2, d_x, d_y, n); }

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  return run(3, d_x, d_y, n, mean, gain, low, high);
}

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) {
  return run(4, d_x, d_y, n, 0, 0, 0, 0, k);
}

static long long now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  *h_from = 0;
  if (!most) return cudaSuccess;
  float *h_y = (float *)malloc(most * sizeof(float)), *d_x = NULL, *d_y = NULL;
  cudaError_t error = cudaMalloc(&d_x, most * sizeof(float));
  if (!error) error = cudaMalloc(&d_y, most * sizeof(float));
  for (size_t n = 1; !error && n <= most; n *= 2) {
    long long gpu = 0, cpu = 0;
    for (int t = 0; t < 2 && !error; t++) {
      gpu = now_ns();
      error = cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice);
      if (!error) error = sin_map_float(d_x, d_y, n);
      if (!error) error = cudaMemcpy(h_y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
      gpu = now_ns() - gpu;
      cpu = now_ns();
      host(h_x, h_y, n);
      cpu = now_ns() - cpu;
    }
    if (!error && gpu < cpu) {
      *h_from = (uint32_t)n;
      break;
    }
  }
  cudaFree(d_x);
  cudaFree(d_y);
  free(h_y);
  return error;
}
