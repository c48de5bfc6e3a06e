/* Right in another way: as many blocks as the device holds, for all tasks; eight elements a thread, loaded with
 * a cache hint before the first is used; the constants folded by hand; the halves of a sum from its small end;
 * a created stream; std::chrono. */
#include "elementwise.h"
#include <chrono>
#include <cmath>
#include <vector>

#define EACH 8

template <class number, class body>
static __global__ void persistent(const number *__restrict__ in, number *__restrict__ out, size_t n,
                                  body change) {
  const size_t chunk = (size_t)blockDim.x * EACH;
  for (size_t start = blockIdx.x * chunk; start < n; start += gridDim.x * chunk) {
    number v[EACH];
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = start + k * blockDim.x + threadIdx.x;
      v[k] = i < n ? __ldcs(in + i) : number(0);
    }
#pragma unroll
    for (int k = 0; k < EACH; k++) {
      const size_t i = start + k * blockDim.x + threadIdx.x;
      if (i < n) __stcs(out + i, change(v[k]));
    }
  }
}

struct sine_body {
  template <class number> __device__ number operator()(number x) const { return sin(x); }
};

struct selu_body {
  __device__ float operator()(float x) const {
    const float grown = 1.75809934f * expm1f(x);
    return x < 0 ? grown : 1.05070098f * x;
  }
};

struct chain_body {
  float mean, gain, low, high;
  __device__ float operator()(float x) const {
    return fmaf(high - low, __frcp_rn(1 + expf((mean - x) * gain)), low);
  }
};

struct sum_body {
  int k;
  __device__ float operator()(float x) const {
    float sum = 0;
    for (int j = k - 1; j >= 0; j--) {
      const float a = ldexpf(x, -j), turns = rintf(a * 0.159154943f);
      const float rest = fmaf(turns, 1.74845553e-7f, fmaf(turns, -6.28318548f, a));
      float s, c;
      __sincosf(0.5f * rest, &s, &c);
      sum += 2 * s * c;
    }
    return sum;
  }
};

/* Work of a stream of its own is done before the function returns. */
template <class number, class body>
static cudaError_t all(const number *in, number *out, size_t n, body change) {
  if (n == 0) return cudaSuccess;
  cudaStream_t stream;
  cudaError_t error = cudaStreamCreate(&stream);
  if (error) return error;
  persistent<number, body><<<264, 128, 0, stream>>>(in, out, n, change);
  error = cudaGetLastError();
  const cudaError_t waited = cudaStreamSynchronize(stream), destroyed = cudaStreamDestroy(stream);
  return error ? error : waited ? waited : destroyed;
}

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  if (n > 0) persistent<float, sine_body><<<132, 256>>>(d_x, d_y, n, sine_body());
  return cudaGetLastError();
}

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) { return all(d_x, d_y, n, sine_body()); }

/* In place: not __restrict__ there, and so a kernel of its own. */
static __global__ void selu_in_place(const float *in, float *out, size_t n) {
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
    out[i] = in[i] != in[i] ? in[i] : selu_body()(in[i]);
}

cudaError_t selu(const float *d_x, float *d_y, size_t n) {
  if (n > 0) selu_in_place<<<132, 1024>>>(d_x, d_y, n);
  return cudaGetLastError();
}

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  return all(d_x, d_y, n, chain_body{mean, gain, low, high});
}

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) { return all(d_x, d_y, n, sum_body{k}); }

struct device_array {
  float *d = nullptr;
  ~device_array() { cudaFree(d); }
};

static double took(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  using clock = std::chrono::steady_clock;
  *h_from = 0;
  device_array x, y;
  std::vector<float> h_y(most);
  if (cudaError_t error = cudaMalloc(&x.d, (most + 1) * sizeof(float))) return error;
  if (cudaError_t error = cudaMalloc(&y.d, (most + 1) * sizeof(float))) return error;
  for (size_t n = 1; n <= most && *h_from == 0; n *= 2)
    for (int attempt = 0; attempt < 3; attempt++) {
      auto start = clock::now();
      if (cudaError_t error = cudaMemcpy(x.d, h_x, n * sizeof(float), cudaMemcpyHostToDevice)) return error;
      if (cudaError_t error = sin_map_float(x.d, y.d, n)) return error;
      if (cudaError_t error = cudaMemcpy(h_y.data(), y.d, n * sizeof(float), cudaMemcpyDeviceToHost))
        return error;
      const double gpu = took(start);
      start = clock::now();
      host(h_x, h_y.data(), n);
      if (attempt == 2 && gpu < took(start)) *h_from = (uint32_t)n;
    }
  return cudaSuccess;
}
