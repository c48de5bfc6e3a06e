/* Right in another way: nothing but plain kernels, a float a thread, blocks of 100 threads, no strides. SELU by
 * two ifs. The turns are taken off by a loop over their three parts. The crossing tries every size and decides
 * at the end. */
#include "elementwise.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

#define SIDE 100

static unsigned blocks(size_t n) { return (unsigned)(n / SIDE + (n % SIDE != 0)); }

__global__ void sines(const float *from, float *to, size_t n) {
  size_t i = blockIdx.x;
  i = i * SIDE + threadIdx.x;
  if (i >= n) return;
  to[i] = sinf(from[i]);
}

__global__ void double_sines(const double *from, double *to, size_t n) {
  size_t i = blockIdx.x;
  i = i * SIDE + threadIdx.x;
  if (i >= n) return;
  to[i] = sin(from[i]);
}

__global__ void selus(const float *from, float *to, size_t n) {
  const float scale = SELU_SCALE, alpha = SELU_ALPHA;
  size_t i = blockIdx.x;
  i = i * SIDE + threadIdx.x;
  if (i >= n) return;
  float y = from[i];
  if (y < 0) y = alpha * expm1f(y);
  y = scale * y;
  to[i] = y;
}

__global__ void chains(const float *from, float *to, size_t n, float mean, float gain, float low,
                       float high) {
  size_t i = blockIdx.x;
  i = i * SIDE + threadIdx.x;
  if (i >= n) return;
  float v = from[i];
  v -= mean;
  v *= gain;
  v = 1.0f / (1.0f + expf(-v));
  v = low + (high - low) * v;
  to[i] = v;
}

__constant__ float two_pi_parts[3] = {6.28125f, 1.9353072e-3f, -1.0253292e-11f};

__global__ void sums(const float *from, float *to, size_t n, int k) {
  size_t i = blockIdx.x;
  i = i * SIDE + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = 0; j < k; j++) {
    float x = ldexpf(from[i], -j);
    const float turns = roundf(x / 6.2831853f);
    for (int p = 0; p < 3; p++) x = fmaf(-turns, two_pi_parts[p], x);
    sum += __sinf(x);
  }
  to[i] = sum;
}

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  if (n) sines<<<blocks(n), SIDE>>>(d_x, d_y, n);
  return cudaPeekAtLastError();
}

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) {
  if (n) double_sines<<<blocks(n), SIDE>>>(d_x, d_y, n);
  return cudaPeekAtLastError();
}

cudaError_t selu(const float *d_x, float *d_y, size_t n) {
  if (n) selus<<<blocks(n), SIDE>>>(d_x, d_y, n);
  return cudaPeekAtLastError();
}

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  if (n) chains<<<blocks(n), SIDE>>>(d_x, d_y, n, mean, gain, low, high);
  return cudaPeekAtLastError();
}

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) {
  if (n) sums<<<blocks(n), SIDE>>>(d_x, d_y, n, k);
  return cudaPeekAtLastError();
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cudaError_t with_copies(const float *h_x, float *h_y, float *d_x, float *d_y, size_t n) {
  cudaError_t error = cudaMemcpy(d_x, h_x, n * sizeof *h_x, cudaMemcpyDefault);
  if (error == cudaSuccess) error = sin_map_float(d_x, d_y, n);
  return error == cudaSuccess ? cudaMemcpy(h_y, d_y, n * sizeof *h_y, cudaMemcpyDefault) : error;
}

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  uint32_t answer = 0;
  float *h_y = (float *)calloc(most + 1, sizeof *h_y), *d = NULL;
  cudaError_t error = h_y ? cudaMalloc(&d, (2 * most + 1) * sizeof *d) : cudaErrorMemoryAllocation;
  for (size_t n = 1; n <= most && error == cudaSuccess; n <<= 1) {
    double best[2] = {1e30, 1e30};
    for (int t = 0; t < 3 && error == cudaSuccess; t++) {
      double start = seconds();
      host(h_x, h_y, n);
      best[0] = fmin(best[0], seconds() - start);
      start = seconds();
      error = with_copies(h_x, h_y, d, d + most, n);
      best[1] = fmin(best[1], seconds() - start);
    }
    if (answer == 0 && best[1] < best[0]) answer = (uint32_t)n;
  }
  if (d) cudaFree(d);
  free(h_y);
  if (error == cudaSuccess) *h_from = answer;
  return error;
}
