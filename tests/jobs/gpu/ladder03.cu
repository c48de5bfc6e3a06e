/*
 * ladder03: lessons 02 and 03 with 2^28 floats beside a copy of the same bytes and CUB. Prints Markdown.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I lessons/lesson02 -I lessons/lesson03 -o ladder03 tests/jobs/gpu/ladder03.cu
 *     ladder03               2^28 floats
 *     ladder03 20            2^20: a trial
 *
 * Versions are timed in turn (A B C A B C ...), CALLS calls between two events, so caches are warm; medians are
 * printed. Every version starts with the same numbers, and its result must have the bits of the first version's.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <cub/device/device_transform.cuh>

#include "hierarchy.h"
#include "kernels.h"
#include "origin.h"

namespace lesson02 {
#include "../../../solutions/lesson02/kernels.cu"
}
#undef THREADS
namespace lesson03 {
#include "../../../solutions/lesson03/hierarchy.cu"
}
#ifdef TRIAL
#include TRIAL
#endif

#define CALLS  10
#define ROUNDS 13

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "ladder03: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* The yardstick: 16 bytes a thread, out of place. */
static __global__ void copy_kernel(const float4 *d_in, float4 *d_out, size_t vectors) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < vectors) d_out[i] = d_in[i];
}

static cudaError_t copy(const float *d_in, float *d_out, size_t n) {
  copy_kernel<<<(unsigned)((n / 4 + 255) / 256), 256>>>((const float4 *)d_in, (float4 *)d_out, n / 4);
  return cudaGetLastError();
}

static __global__ void fill_kernel(float *d_x, size_t n, unsigned seed) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = (float)((i * 2654435761u + seed) >> 8 & 0xffff) / 65536.0f + 0.5f;
}

static void fill(float *d_x, size_t n, unsigned seed) {
  fill_kernel<<<(unsigned)((n + 255) / 256), 256>>>(d_x, n, seed);
  CHECK(cudaGetLastError());
}

static __global__ void differ_kernel(const float *d_a, const float *d_b, size_t n, int *d_different) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && __float_as_uint(d_a[i]) != __float_as_uint(d_b[i])) *d_different = 1;
}

static bool same(const float *d_a, const float *d_b, size_t n) {
  static int *d_different;
  int different = 0;
  if (!d_different) CHECK(cudaMalloc(&d_different, sizeof *d_different));
  CHECK(cudaMemset(d_different, 0, sizeof *d_different));
  differ_kernel<<<(unsigned)((n + 255) / 256), 256>>>(d_a, d_b, n, d_different);
  CHECK(cudaMemcpy(&different, d_different, sizeof different, cudaMemcpyDeviceToHost));
  return !different;
}

struct version {
  std::string name;
  double bytes; /* that one call moves */
  std::function<cudaError_t()> call;
  std::vector<float> times_ms; /* each of CALLS calls */
};

static float median(std::vector<float> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/* Times the versions in turn, and prints a table. The first is the yardstick, in bytes per second. */
static void compare(const char *title, std::vector<version> versions) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  for (int round = -1; round < ROUNDS; round++)
    for (version &v : versions) {
      float time_ms;
      CHECK(cudaEventRecord(start));
      for (int k = 0; k < CALLS; k++) CHECK(v.call());
      CHECK(cudaEventRecord(stop));
      CHECK(cudaEventSynchronize(stop));
      CHECK(cudaEventElapsedTime(&time_ms, start, stop));
      if (round >= 0) v.times_ms.push_back(time_ms / CALLS); /* round -1 warms up */
    }
  printf("| %s | ms | lowest to highest | GB/s | of a copy |\n|---|---|---|---|---|\n", title);
  const double yardstick = versions[0].bytes / median(versions[0].times_ms);
  for (version &v : versions) {
    const float ms = median(v.times_ms);
    printf("| %s | %.4f | %.4f to %.4f | %.0f | %.3f |\n", v.name.c_str(), ms,
           *std::min_element(v.times_ms.begin(), v.times_ms.end()),
           *std::max_element(v.times_ms.begin(), v.times_ms.end()), v.bytes / ms / 1e6,
           v.bytes / ms / yardstick);
  }
  printf("\n");
  fflush(stdout);
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}

struct add {
  __device__ float operator()(float a, float b) const { return a + b; }
};
struct scale {
  float factor;
  __device__ float operator()(float x) const { return factor * x; }
};

static bool vectors(size_t n, float *d_a, float *d_b, float *d_c, float *d_right) {
  std::vector<version> versions = {
      {"copy, float4", 8.0 * n, [=] { return copy(d_a, d_c, n); }},
      {"vector_add_device", 12.0 * n, [=] { return lesson02::vector_add_device(d_a, d_b, d_c, (int)n); }},
      {"vector_add_wide", 12.0 * n, [=] { return lesson02::vector_add_wide(d_a, d_b, d_c, (int)n); }},
      {"cub::DeviceTransform", 12.0 * n,
       [=] {
         return cub::DeviceTransform::Transform(::cuda::std::make_tuple(d_a, d_b), d_c, (int)n, add{});
       }},
#ifdef TRIAL
      TRIAL_ADDS
#endif
  };
  bool right = true;
  for (size_t k = 1; k < versions.size(); k++) {
    CHECK(cudaMemset(d_c, 0xff, 4 * n));
    CHECK(versions[k].call());
    if (k == 1) CHECK(cudaMemcpy(d_right, d_c, 4 * n, cudaMemcpyDeviceToDevice));
    if (!same(d_c, d_right, n)) right = false, printf("%s: wrong\n", versions[k].name.c_str());
  }
  compare("c = a + b", versions);
  return right;
}

/* side x side floats, in rows of `pitch`. Nothing is multiplied twice when it is compared; when timed, by 1. */
static bool matrix(size_t rows, size_t columns, size_t pitch, float *d_m, float *d_right, float *d_copy) {
  const size_t n = rows * pitch, work = rows * columns;
  const auto versions = [=](float f) {
    return std::vector<version>{
        {"copy, float4", 8.0 * work, [=] { return copy(d_m, d_copy, work); }},
        {"scale_matrix", 8.0 * work, [=] { return lesson03::scale_matrix(d_m, rows, columns, pitch, f); }},
        {"scale_matrix_fast", 8.0 * work,
         [=] { return lesson03::scale_matrix_fast(d_m, rows, columns, pitch, f); }},
        {"cub::DeviceTransform, padding too", 8.0 * work,
         [=] { return cub::DeviceTransform::Transform(d_m, d_m, (int)n, scale{f}); }},
#ifdef TRIAL
        TRIAL_SCALES
#endif
    };
  };
  bool right = true;
  const std::vector<version> once = versions(1.1f);
  for (size_t k = 1; k < once.size(); k++) {
    if (k == 3) continue;
    fill(d_m, n, 5);
    CHECK(once[k].call());
    if (k == 1) CHECK(cudaMemcpy(d_right, d_m, 4 * n, cudaMemcpyDeviceToDevice));
    if (!same(d_m, d_right, n)) right = false, printf("%s: wrong\n", once[k].name.c_str());
  }
  const std::string title = "x = factor * x, " + std::to_string(rows) + " x " + std::to_string(columns) +
                            ", pitch " + std::to_string(pitch);
  compare(title.c_str(), versions(1.0f));
  return right;
}

int main(int argc, char **argv) {
  const int log2_n = argc > 1 ? atoi(argv[1]) : 28;
  if (log2_n < 8 || log2_n > 30) return fprintf(stderr, "usage: ladder03 [8 to 30]\n"), 2;
  const size_t n = (size_t)1 << log2_n, side = (size_t)1 << log2_n / 2;
  float *d_a, *d_b, *d_c, *d_right;
  for (float **d : {&d_a, &d_b, &d_c, &d_right}) CHECK(cudaMalloc(d, 4 * n));
  fill(d_a, n, 1);
  fill(d_b, n, 2);

  printf("Medians of %d rounds of %d calls, float, 2^%d elements.\n\n", ROUNDS, CALLS, log2_n);
  bool right = vectors(n, d_a, d_b, d_c, d_right);
  right = matrix(side, side, side, d_a, d_right, d_c) && right;
  right = matrix(side - 1, side - 2, side - 1, d_a, d_right, d_c) && right;
  printf("%s", origin().c_str());
  for (float *d : {d_a, d_b, d_c, d_right}) CHECK(cudaFree(d));
  return right ? 0 : 1;
}
