/* Right in another way: a float2 or a double a thread; the sine as one of a pair; SELU by e^(x/2) and a
 * hyperbolic sine; the squashing step as a hyperbolic tangent; quarter turns, with __sinf or __cosf of the
 * rest. Events measure the crossing. */
#include "elementwise.h"
#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef enum { SINE, SELU, CHAIN, SUM } what;
typedef struct parameters {
  float a, b, c, d;
  int k;
} parameters;

static __device__ __forceinline__ float quarter_sine(float x) {
  const int quarters = __float2int_rn(x * 0.636619772f);
  const float q = (float)quarters;
  const float rest = fmaf(q, -7.54978942e-8f, fmaf(q, -1.57079625f, x));
  const float value = quarters & 1 ? __cosf(rest) : __sinf(rest);
  return quarters & 2 ? -value : value;
}

template <what operation> static __device__ float result(float x, const parameters &p) {
  if (operation == SINE) {
    float s, c;
    sincosf(x, &s, &c);
    return s;
  }
  if (operation == SELU) {
    if (!(x <= 0)) return x * (float)SELU_SCALE;
    const float half = 0.5f * x;
    return (float)(2 * SELU_SCALE * SELU_ALPHA) * (x > -20 ? expf(half) * sinhf(half) : -0.5f);
  }
  if (operation == CHAIN) {
    const float u = 0.5f + 0.5f * tanhf(0.5f * ((x - p.a) * p.b));
    return u * p.d + (1 - u) * p.c;
  }
  float sum = 0, argument = x;
  int k = p.k;
  while (k-- > 0) {
    sum += quarter_sine(argument);
    argument /= 2;
  }
  return sum;
}

template <what operation> __global__ void pairs(const float2 *x, float2 *y, size_t n, parameters p) {
  const size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x;
  if (2 * i + 1 < n) {
    const float2 v = x[i];
    y[i] = {result<operation>(v.x, p), result<operation>(v.y, p)};
  } else if (2 * i < n) {
    ((float *)y)[2 * i] = result<operation>(((const float *)x)[2 * i], p);
  }
}

__global__ void doubles(const double *__restrict__ x, double *__restrict__ y, size_t n) {
  for (size_t i = threadIdx.x + (size_t)blockDim.x * blockIdx.x; i < n; i += (size_t)blockDim.x * gridDim.x) {
    double c;
    sincos(__ldg(x + i), y + i, &c);
  }
}

template <what operation>
static cudaError_t go(const float *d_x, float *d_y, size_t n, parameters p = parameters()) {
  if (!n) return cudaSuccess;
  pairs<operation><<<(unsigned)((n + 383) / 384), 192>>>((const float2 *)d_x, (float2 *)d_y, n, p);
  return cudaGetLastError();
}

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) { return go<SINE>(d_x, d_y, n); }

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) {
  if (!n) return cudaSuccess;
  doubles<<<50, 512>>>(d_x, d_y, n);
  return cudaGetLastError();
}

cudaError_t selu(const float *d_x, float *d_y, size_t n) { return go<SELU>(d_x, d_y, n); }

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  return go<CHAIN>(d_x, d_y, n, {mean, gain, low, high, 0});
}

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) {
  return go<SUM>(d_x, d_y, n, {0, 0, 0, 0, k});
}

struct device_side {
  float *x, *y;
  cudaEvent_t begin, end;
};

static cudaError_t device_ms(device_side *d, const float *h_x, float *h_y, size_t n, float *ms) {
  cudaError_t e = cudaEventRecord(d->begin);
  if (!e) e = cudaMemcpyAsync(d->x, h_x, 4 * n, cudaMemcpyHostToDevice);
  if (!e) e = sin_map_float(d->x, d->y, n);
  if (!e) e = cudaMemcpyAsync(h_y, d->y, 4 * n, cudaMemcpyDeviceToHost);
  if (!e) e = cudaEventRecord(d->end);
  if (!e) e = cudaEventSynchronize(d->end);
  return e ? e : cudaEventElapsedTime(ms, d->begin, d->end);
}

static cudaError_t search(device_side *d, const float *h_x, float *h_y, size_t most, host_map host,
                          uint32_t *h_from) {
  *h_from = 0;
  for (size_t n = 1; n <= most; n *= 2) {
    float ms = 0, cpu_ms = 0;
    for (int twice = 0; twice < 2; twice++) { /* the second counts */
      const cudaError_t e = device_ms(d, h_x, h_y, n, &ms);
      if (e) return e;
      struct timespec a, b;
      clock_gettime(CLOCK_MONOTONIC, &a);
      host(h_x, h_y, n);
      clock_gettime(CLOCK_MONOTONIC, &b);
      cpu_ms = 1e3f * (float)(b.tv_sec - a.tv_sec) + 1e-6f * (float)(b.tv_nsec - a.tv_nsec);
    }
    if (ms < cpu_ms) {
      *h_from = (uint32_t)n;
      break;
    }
  }
  return cudaSuccess;
}

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  device_side d = {};
  float *h_y = (float *)malloc(4 * most + 4);
  cudaError_t e = h_y ? cudaEventCreate(&d.begin) : cudaErrorMemoryAllocation;
  if (!e) e = cudaEventCreate(&d.end);
  if (!e) e = cudaMalloc(&d.x, 4 * most + 4);
  if (!e) e = cudaMalloc(&d.y, 4 * most + 4);
  if (!e) e = search(&d, h_x, h_y, most, host, h_from);
  if (d.x) cudaFree(d.x);
  if (d.y) cudaFree(d.y);
  if (d.begin) cudaEventDestroy(d.begin);
  if (d.end) cudaEventDestroy(d.end);
  free(h_y);
  return e;
}
