/* Right in another way: one kernel for whole vectors of 16 bytes in a grid of two dimensions, a second one for
 * the rest; functions of elements as parameters of a template; a sine of whole turns of 1 by __sinf; pinned
 * memory for the crossing, and the median of its times. */
#include "elementwise.h"
#include <algorithm>
#include <cmath>
#include <ctime>
#include <vector>

struct four_numbers {
  float v[4];
  int k;
};
typedef float function(float x, four_numbers p);

static __device__ float the_sine(float x, four_numbers) { return std::sin(x); }

static __device__ float the_selu(float x, four_numbers) {
  constexpr float scale = 1.05070098f, both = 1.75809934f;
  return x >= 0 ? scale * x : x != x ? x : both * expm1f(x);
}

static __device__ float the_chain(float x, four_numbers p) {
  const float t = (x - p.v[0]) * p.v[1];
  return p.v[2] + __fdividef(p.v[3] - p.v[2], 1.0f + expf(-t));
}

static __device__ float the_sum(float x, four_numbers p) {
  float total = 0.0f;
  for (float power = 1; p.k > 0; p.k--, power *= 0.5f) {
    const float a = x * power, turns = truncf(a * 0.159154943f);
    float rest = fmaf(turns, -6.28318548f, a);
    rest = fmaf(turns, 1.74845553e-7f, rest);
    if (rest > 3.14159274f) rest = (rest - 6.28318548f) + 1.74845553e-7f;
    if (rest < -3.14159274f) rest = (rest + 6.28318548f) - 1.74845553e-7f;
    total += __sinf(rest);
  }
  return total;
}

template <function f>
static __global__ void vectors(const float4 *x, float4 *y, size_t count, four_numbers p) {
  const size_t row = blockIdx.y, i = (row * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) y[i] = make_float4(f(x[i].x, p), f(x[i].y, p), f(x[i].z, p), f(x[i].w, p));
}

template <function f>
static __global__ void rest(const float *x, float *y, size_t from, size_t n, four_numbers p) {
  const size_t i = from + threadIdx.x;
  if (i < n) y[i] = f(x[i], p);
}

template <function f> static cudaError_t everywhere(const float *x, float *y, size_t n, four_numbers p) {
  const size_t count = n / 4, needed = (count + 63) / 64;
  if (count > 0) {
    const dim3 grid((unsigned)std::min<size_t>(needed, 1024), (unsigned)((needed + 1023) / 1024));
    vectors<f><<<grid, 64>>>((const float4 *)x, (float4 *)y, count, p);
    if (const cudaError_t error = cudaGetLastError()) return error;
  }
  if (n % 4 > 0) rest<f><<<1, 32>>>(x, y, 4 * count, n, p);
  return cudaGetLastError();
}

static __global__ void wide_sines(const double2 *x, double2 *y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i + 2 <= n)
    y[i] = make_double2(sin(x[i].x), sin(x[i].y));
  else if (2 * i < n)
    y[i].x = sin(x[i].x);
}

cudaError_t sin_map_float(const float *d_x, float *d_y, size_t n) {
  return everywhere<the_sine>(d_x, d_y, n, {});
}

cudaError_t sin_map_double(const double *d_x, double *d_y, size_t n) {
  if (n == 0) return cudaSuccess;
  wide_sines<<<(unsigned)((n + 255) / 256), 128>>>((const double2 *)d_x, (double2 *)d_y, n);
  return cudaGetLastError();
}

cudaError_t selu(const float *d_x, float *d_y, size_t n) { return everywhere<the_selu>(d_x, d_y, n, {}); }

cudaError_t chain(const float *d_x, float *d_y, size_t n, float mean, float gain, float low, float high) {
  return everywhere<the_chain>(d_x, d_y, n, {{mean, gain, low, high}, 0});
}

cudaError_t fast_sin(const float *d_x, float *d_y, size_t n, int k) {
  return everywhere<the_sum>(d_x, d_y, n, {{}, k});
}

static double now(void) {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

struct arrays {
  float *h_in, *h_out, *d_in, *d_out;
};

static cudaError_t allocate(arrays &a, size_t most) {
  cudaError_t error = cudaMallocHost(&a.h_in, most * sizeof(float));
  if (!error) error = cudaMallocHost(&a.h_out, most * sizeof(float));
  if (!error) error = cudaMalloc(&a.d_in, most * sizeof(float));
  return error ? error : cudaMalloc(&a.d_out, most * sizeof(float));
}

static cudaError_t gpu(const arrays &a, const float *h_x, size_t n) {
  std::copy(h_x, h_x + n, a.h_in);
  cudaError_t error = cudaMemcpyAsync(a.d_in, a.h_in, n * sizeof(float), cudaMemcpyHostToDevice, 0);
  if (!error) error = sin_map_float(a.d_in, a.d_out, n);
  if (!error) error = cudaMemcpyAsync(a.h_out, a.d_out, n * sizeof(float), cudaMemcpyDeviceToHost, 0);
  return error ? error : cudaDeviceSynchronize();
}

static double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

cudaError_t crossing(const float *h_x, size_t most, host_map host, uint32_t *h_from) {
  *h_from = 0;
  if (most == 0) return cudaSuccess;
  arrays a = {};
  cudaError_t error = allocate(a, most);
  if (!error) error = gpu(a, h_x, 1);
  for (size_t n = 1; n <= most && !error; n += n) {
    std::vector<double> ours, theirs;
    for (int i = 0; i < 3 && !error; i++) {
      const double start = now();
      error = gpu(a, h_x, n);
      const double middle = now();
      host(h_x, a.h_out, n);
      theirs.push_back(now() - middle);
      ours.push_back(middle - start);
    }
    if (!error && median(ours) < median(theirs)) {
      *h_from = (uint32_t)n;
      break;
    }
  }
  cudaFreeHost(a.h_in);
  cudaFreeHost(a.h_out);
  cudaFree(a.d_in);
  cudaFree(a.d_out);
  return error;
}
