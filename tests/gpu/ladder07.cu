/*
 * ladder07: times every rung of lesson07's ladder beside cuBLAS in one run, and checks each one's answer.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I lessons/lesson07 -o ladder07 tests/gpu/ladder07.cu
 * solutions/lesson07/matmul.cu -lcublas ladder07                 the lesson's sizes ladder07 4096 100x200x3
 * these, as n x m x k ladder07 --check         awkward small sizes, no times: for the CPU backend too
 *
 * Answers: with small whole numbers as input every sum is exact in any order, so C must equal cuBLAS's, all
 * of it. Times: with random fractions, as power and with it the clock depend on the data; rung after rung in
 * turn, several calls between two events, median of the rounds. cuBLAS computes in float32 as written
 * (CUBLAS_PEDANTIC_MATH: no TF32).
 */
#include "matmul.h"
#include <algorithm>
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const int status = (int)(call);                                                                          \
    if (status) fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status), exit(1);          \
  } while (0)

struct shape {
  int n, m, k;
};

template <typename T> struct rung {
  const char *name;
  cudaError_t (*function)(const T *, const T *, T *, int, int, int);
  std::vector<float> times_ms;
};

static cublasHandle_t handle;

/* cuBLAS stores by columns: what it takes for B and A is their transpose, and (AB)^T = B^T A^T. */
static cudaError_t library(const float *d_a, const float *d_b, float *d_c, int n, int m, int k) {
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, d_b, m, d_a, k, &zero, d_c, m));
  return cudaSuccess;
}

static cudaError_t library(const double *d_a, const double *d_b, double *d_c, int n, int m, int k) {
  const double one = 1, zero = 0;
  CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, d_b, m, d_a, k, &zero, d_c, m));
  return cudaSuccess;
}

/* Whole numbers from -4 to 4, or fractions in [-1, 1). */
template <typename T> static __global__ void fill_kernel(T *d_x, size_t count, unsigned seed, bool whole) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned h = (unsigned)i * 2654435761u + seed;
  h = (h ^ h >> 15) * 2246822519u;
  h = (h ^ h >> 13) * 3266489917u;
  h ^= h >> 16;
  d_x[i] = whole ? (T)((int)(h % 9) - 4) : (T)((int)h * (1 / 2147483648.0));
}

template <typename T>
static __global__ void compare_kernel(const T *d_x, const T *d_y, size_t count, int *d_wrong) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && !(d_x[i] == d_y[i])) atomicAdd(d_wrong, 1);
}

template <typename T> struct matrices {
  T *d_a, *d_b, *d_c, *d_right;
  int *d_wrong;
  shape s;

  explicit matrices(shape size) : s(size) {
    CHECK(cudaMalloc(&d_a, sizeof(T) * s.n * s.k));
    CHECK(cudaMalloc(&d_b, sizeof(T) * s.k * s.m));
    CHECK(cudaMalloc(&d_c, sizeof(T) * s.n * s.m));
    CHECK(cudaMalloc(&d_right, sizeof(T) * s.n * s.m));
    CHECK(cudaMalloc(&d_wrong, sizeof(int)));
  }
  ~matrices() {
    for (void *p : {(void *)d_a, (void *)d_b, (void *)d_c, (void *)d_right, (void *)d_wrong})
      CHECK(cudaFree(p));
  }
  void fill(bool whole) {
    const size_t a = (size_t)s.n * s.k, b = (size_t)s.k * s.m;
    fill_kernel<<<(unsigned)((a + 255) / 256), 256>>>(d_a, a, 1u, whole);
    fill_kernel<<<(unsigned)((b + 255) / 256), 256>>>(d_b, b, 2u, whole);
    CHECK(cudaGetLastError());
  }
  int wrong_elements(const rung<T> &r) {
    const size_t c = (size_t)s.n * s.m;
    int wrong = 0;
    CHECK(cudaMemset(d_c, 0xff, c * sizeof(T)));
    CHECK(cudaMemset(d_wrong, 0, sizeof(int)));
    CHECK(r.function(d_a, d_b, d_c, s.n, s.m, s.k));
    compare_kernel<<<(unsigned)((c + 255) / 256), 256>>>(d_c, d_right, c, d_wrong);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof(int), cudaMemcpyDeviceToHost));
    return wrong;
  }
  float time_ms(const rung<T> &r, int calls) {
    static cudaEvent_t start, stop;
    float total_ms;
    if (!start) {
      CHECK(cudaEventCreate(&start));
      CHECK(cudaEventCreate(&stop));
    }
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < calls; i++) CHECK(r.function(d_a, d_b, d_c, s.n, s.m, s.k));
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&total_ms, start, stop));
    return total_ms / calls;
  }
};

/* Rounds in turn. A slow rung sits out when it has had its share, but every rung is timed at least once. */
template <typename T> static void time_in_turn(matrices<T> &on, std::vector<rung<T>> &rungs) {
  const int rounds = 15;
  const float share_ms = 150;
  std::vector<float> spent_ms(rungs.size());
  for (auto &r : rungs) on.time_ms(r, 1); /* warm */
  for (int round = 0; round < rounds; round++)
    for (size_t i = 0; i < rungs.size(); i++) {
      rung<T> &r = rungs[i];
      if (spent_ms[i] > share_ms) continue;
      const float guess_ms = r.times_ms.empty() ? on.time_ms(r, 1) : r.times_ms.back();
      const int calls = std::min(50, 1 + (int)(2 / guess_ms));
      r.times_ms.push_back(on.time_ms(r, calls));
      spent_ms[i] += calls * r.times_ms.back();
    }
}

static float median(std::vector<float> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/* Returns how many rungs are wrong at this size; rungs[0] is the library. */
template <typename T> static int measure(shape s, std::vector<rung<T>> rungs, bool timed) {
  matrices<T> on(s);
  int wrong_rungs = 0;
  on.fill(true);
  CHECK(library(on.d_a, on.d_b, on.d_right, s.n, s.m, s.k));
  for (auto &r : rungs) {
    const int wrong = on.wrong_elements(r);
    if (wrong)
      printf("WRONG: %s, %d x %d x %d: %d elements of %lld\n", r.name, s.n, s.m, s.k, wrong,
             (long long)s.n * s.m);
    wrong_rungs += wrong > 0;
  }
  if (!timed) return wrong_rungs;
  on.fill(false);
  time_in_turn(on, rungs);
  const double flops = 2.0 * s.n * s.m * s.k, library_ms = median(rungs[0].times_ms);
  for (const auto &r : rungs) {
    const double ms = median(r.times_ms), best_ms = *std::min_element(r.times_ms.begin(), r.times_ms.end());
    printf("%-6s %5d %5d %5d  %-28s %10.4f ms  %7.2f TFLOP/s  %6.3f of cuBLAS  (best %.4f ms, %zu samples)\n",
           sizeof(T) == 4 ? "float" : "double", s.n, s.m, s.k, r.name, ms, flops / ms * 1e-9, library_ms / ms,
           best_ms, r.times_ms.size());
  }
  fflush(stdout);
  return wrong_rungs;
}

template <int TILE>
static cudaError_t tiled_double(const double *d_a, const double *d_b, double *d_c, int n, int m, int k) {
  return matmul_tiled_double(d_a, d_b, d_c, n, m, k, TILE);
}

int main(int argc, char **argv) {
  const bool timed = argc < 2 || strcmp(argv[1], "--check");
  std::vector<shape> shapes;
  for (int i = 1; timed && i < argc; i++) {
    shape s;
    const int numbers = sscanf(argv[i], "%dx%dx%d", &s.n, &s.m, &s.k);
    if (numbers == 1)
      s.m = s.k = s.n;
    else if (numbers != 3)
      return fprintf(stderr, "ladder07: not a size: %s\n", argv[i]), 2;
    shapes.push_back(s);
  }
  if (!timed)
    shapes = {{1, 1, 1}, {129, 67, 33}, {64, 260, 40}, {257, 131, 8}, {130, 300, 7}, {33, 516, 100}};
  else if (shapes.empty())
    shapes = {{512, 512, 512},    {1024, 1024, 1024}, {1024, 512, 2048},
              {2048, 2048, 2048}, {4096, 4096, 4096}, {8192, 8192, 8192}};

  CHECK(cublasCreate(&handle));
  CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  std::vector<rung<float>> rungs = {{"cuBLAS", library}};
  for (const matmul_stage *stage = matmul_stages; stage->name; stage++)
    rungs.push_back({stage->name, stage->function});
  const std::vector<rung<double>> doubles = {
      {"cuBLAS", library}, {"tiled16", tiled_double<16>}, {"tiled32", tiled_double<32>}};

  int wrong = 0;
  for (shape s : shapes) {
    wrong += measure(s, rungs, timed);
    if (!timed || (s.n == 1024 && s.m == 512)) wrong += measure(s, doubles, timed);
  }
  CHECK(cublasDestroy(handle));
  printf("%d wrong answers\n", wrong);
  return wrong > 0;
}
