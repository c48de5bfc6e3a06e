/*
 * ladder07: compares every version of lesson07 with cuBLAS in one run and verifies the answers.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I lessons/lesson07 -o ladder07 tests/jobs/gpu/ladder07.cu \
 *       solutions/lesson07/matmul.cu -lcublas
 *     ladder07                    the lesson's sizes
 *     ladder07 4096 100x200x3     these, as m x n x k
 *     ladder07 --check            awkward small sizes, no times: for the CPU backend too
 *
 * Prints Markdown for results/, with GPU, driver, date and commit ($COMMIT).
 *
 * Two kinds of figures: warm, many calls in a row between two events, and cold, single calls, each after
 * other data has passed through the caches. Compare only figures of the same kind.
 *
 * Answers: with small whole numbers as input every sum is exact in any order, so C must equal
 * cuBLAS's, all of it. Times: with random fractions, as power and with it the clock depend on the
 * data; rung after rung, in another order each round, median of the rounds. cuBLAS computes in float32
 * as written (CUBLAS_PEDANTIC_MATH: no TF32).
 */
#include "matmul.h"
#include <algorithm>
#include <cublas_v2.h>
#include <numeric>
#include <random>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <vector>

#include "origin.h"

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const int status = (int)(call);                                                                          \
    if (status) fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status), exit(1);          \
  } while (0)

struct shape {
  int m, n, k;
};

template <typename T> struct rung {
  const char *name, *idea;
  cudaError_t (*function)(const T *, const T *, T *, int, int, int);
};

static cublasHandle_t handle;

/* cuBLAS stores by columns: what it takes for B and A is their transpose, and (AB)^T = B^T A^T. */
static cudaError_t library(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  const float one = 1, zero = 0;
  CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, &zero, d_c, n));
  return cudaSuccess;
}

static cudaError_t library(const double *d_a, const double *d_b, double *d_c, int m, int n, int k) {
  const double one = 1, zero = 0;
  CHECK(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, d_b, n, d_a, k, &zero, d_c, n));
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
    CHECK(cudaMalloc(&d_a, sizeof(T) * s.m * s.k));
    CHECK(cudaMalloc(&d_b, sizeof(T) * s.k * s.n));
    CHECK(cudaMalloc(&d_c, sizeof(T) * s.m * s.n));
    CHECK(cudaMalloc(&d_right, sizeof(T) * s.m * s.n));
    CHECK(cudaMalloc(&d_wrong, sizeof(int)));
  }
  ~matrices() {
    for (void *p : {(void *)d_a, (void *)d_b, (void *)d_c, (void *)d_right, (void *)d_wrong})
      CHECK(cudaFree(p));
  }
  void fill(bool whole) {
    const size_t a = (size_t)s.m * s.k, b = (size_t)s.k * s.n;
    fill_kernel<<<(unsigned)((a + 255) / 256), 256>>>(d_a, a, 1u, whole);
    fill_kernel<<<(unsigned)((b + 255) / 256), 256>>>(d_b, b, 2u, whole);
    CHECK(cudaGetLastError());
  }
  int wrong_elements(const rung<T> &r) {
    const size_t c = (size_t)s.m * s.n;
    int wrong = 0;
    CHECK(cudaMemset(d_c, 0xff, c * sizeof(T)));
    CHECK(cudaMemset(d_wrong, 0, sizeof(int)));
    CHECK(r.function(d_a, d_b, d_c, s.m, s.n, s.k));
    compare_kernel<<<(unsigned)((c + 255) / 256), 256>>>(d_c, d_right, c, d_wrong);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&wrong, d_wrong, sizeof(int), cudaMemcpyDeviceToHost));
    return wrong;
  }
  float time_ms(const rung<T> &r, int calls, bool cold = false) {
    static cudaEvent_t start, stop;
    static char *d_other;
    const size_t other_bytes = (size_t)256 << 20; /* several times the L2 cache */
    float total_ms;
    if (!start) {
      CHECK(cudaEventCreate(&start));
      CHECK(cudaEventCreate(&stop));
      CHECK(cudaMalloc(&d_other, other_bytes));
    }
    if (cold) CHECK(cudaMemset(d_other, 0, other_bytes));
    CHECK(cudaEventRecord(start));
    for (int i = 0; i < calls; i++) CHECK(r.function(d_a, d_b, d_c, s.m, s.n, s.k));
    CHECK(cudaEventRecord(stop));
    CHECK(cudaEventSynchronize(stop));
    CHECK(cudaEventElapsedTime(&total_ms, start, stop));
    return total_ms / calls;
  }
};

static float median(std::vector<float> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/* Medians of the rungs' times in milliseconds, of rounds, each in another order: a kernel that heats the
 * device up slows the next one down, so no rung may always follow the same one. A slow rung sits out when it
 * has had its share; one whose first call takes over a second is not timed again. */
template <typename T>
static std::vector<float> time_in_turn(matrices<T> &on, const std::vector<rung<T>> &rungs) {
  const int rounds = 15;
  const float share_ms = 300;
  std::vector<size_t> order(rungs.size());
  std::mt19937 random; /* the same orders in every run */
  std::vector<std::vector<float>> times_ms(rungs.size());
  std::vector<float> spent_ms(rungs.size()), guess_ms, medians_ms;
  for (size_t i = 0; i < rungs.size(); i++) {
    guess_ms.push_back(on.time_ms(rungs[i], 1)); /* a warm-up */
    if (guess_ms[i] < 1000) continue;
    times_ms[i].push_back(guess_ms[i]);
    spent_ms[i] = guess_ms[i];
  }
  std::iota(order.begin(), order.end(), 0);
  for (int round = 0; round < rounds; round++) {
    std::shuffle(order.begin(), order.end(), random);
    for (size_t i : order) {
      if (spent_ms[i] > share_ms) continue;
      const int calls = std::min(50, 1 + (int)(2 / guess_ms[i]));
      guess_ms[i] = on.time_ms(rungs[i], calls);
      times_ms[i].push_back(guess_ms[i]);
      spent_ms[i] += calls * guess_ms[i];
    }
  }
  for (const auto &t : times_ms) medians_ms.push_back(median(t));
  return medians_ms;
}

/* The same of cold calls. */
template <typename T>
static std::vector<float> time_cold(matrices<T> &on, const std::vector<rung<T>> &rungs) {
  std::vector<std::vector<float>> times_ms(rungs.size());
  std::vector<float> medians_ms;
  for (int round = 0; round < 9; round++)
    for (size_t i = 0; i < rungs.size(); i++) times_ms[i].push_back(on.time_ms(rungs[i], 1, true));
  for (const auto &t : times_ms) medians_ms.push_back(median(t));
  return medians_ms;
}

static int wrong_answers;

/* TFLOP/s at one size, in the order of the rungs: all of them warm, the first and the last one cold. */
struct speeds {
  std::vector<double> warm, cold;
};

/* The rungs' speeds at this size, rungs[0] being the library; after a look at the answers. */
template <typename T> static speeds measure(shape s, const std::vector<rung<T>> &rungs, bool timed) {
  matrices<T> on(s);
  const double operations = 2.0 * s.m * s.n * s.k;
  speeds found;
  on.fill(true);
  CHECK(library(on.d_a, on.d_b, on.d_right, s.m, s.n, s.k));
  for (const auto &r : rungs) {
    const int wrong = on.wrong_elements(r);
    if (wrong)
      fprintf(stderr, "WRONG: %s, %d x %d x %d: %d elements of %lld\n", r.name, s.m, s.n, s.k, wrong,
              (long long)s.m * s.n);
    wrong_answers += wrong > 0;
  }
  if (!timed) return found;
  on.fill(false);
  for (float ms : time_in_turn(on, rungs)) found.warm.push_back(operations / ms / 1e9);
  for (float ms : time_cold<T>(on, {rungs.front(), rungs.back()}))
    found.cold.push_back(operations / ms / 1e9);
  return found;
}

/* ---- Tables ---- */

static std::string name_of(shape s) {
  char text[64];
  snprintf(text, sizeof text, s.m == s.n && s.n == s.k ? "%d" : "%d × %d × %d", s.m, s.n, s.k);
  return text;
}

static void print_row(const char *table, const char *name, const char *idea, const std::vector<double> &rates,
                      const std::vector<double> &library_rates) {
  printf("\n| %s | %s | %s |", table, name, idea);
  for (size_t s = 0; s < rates.size(); s++) printf(" %.2f (%.3f) |", rates[s], rates[s] / library_rates[s]);
}

static void print_head(const std::vector<shape> &shapes) {
  printf("| | rung | what it changes |");
  for (shape s : shapes) printf(" %s |", name_of(s).c_str());
  printf("\n|---|---|---|");
  for (size_t s = 0; s < shapes.size(); s++) printf("---|");
}

/* found[s]: the speeds at shape s. */
template <typename T>
static void print_tables(const std::vector<rung<T>> &rungs, const std::vector<shape> &shapes,
                         const std::vector<speeds> &found) {
  const auto column = [&](std::vector<double> speeds::*kind, size_t r) {
    std::vector<double> rates;
    for (const auto &at : found) rates.push_back((at.*kind)[r]);
    return rates;
  };
  const char *const type = sizeof(T) == 4 ? "float32" : "float64";
  const std::string warm = std::string("ladder07, ") + type, cold = std::string("cold, ") + type;
  print_head(shapes);
  for (size_t r = 0; r < rungs.size(); r++)
    print_row(warm.c_str(), rungs[r].name, rungs[r].idea, column(&speeds::warm, r), column(&speeds::warm, 0));
  printf("\n\n");
  print_head(shapes);
  print_row(cold.c_str(), rungs.front().name, rungs.front().idea, column(&speeds::cold, 0),
            column(&speeds::cold, 0));
  print_row(cold.c_str(), rungs.back().name, rungs.back().idea, column(&speeds::cold, 1),
            column(&speeds::cold, 0));
  printf("\n\n");
}

static void print_origin(void) {
  printf("TFLOP/s, median of up to 15 rounds, each in another order, several calls in a row, so the caches "
         "are warm. Rows that "
         "begin with cold: median of 9 single calls in turn, each with cold caches. In brackets the ratio to "
         "cuBLAS in the same run and of the same kind, without TF32.\n%s",
         origin().c_str());
}

template <int TILE>
static cudaError_t tiled_double(const double *d_a, const double *d_b, double *d_c, int m, int n, int k) {
  return matmul_tiled_double(d_a, d_b, d_c, m, n, k, TILE);
}

/* Whether this device has what a stage needs; if not, one line says so. */
static bool runs_here(const matmul_stage &stage) {
  matrices<float> on({1, 1, 1});
  const cudaError_t error = stage.function(on.d_a, on.d_b, on.d_c, 1, 1, 0);
  if (error) fprintf(stderr, "left out: %s needs %s\n", stage.name, stage.constraints);
  return !error;
}

/* The sizes named by the arguments. */
static std::vector<shape> shapes_of(int argc, char **argv, int first) {
  std::vector<shape> shapes;
  for (int i = first; i < argc; i++) {
    shape s;
    const int numbers = sscanf(argv[i], "%dx%dx%d", &s.m, &s.n, &s.k);
    if (numbers == 1)
      s.n = s.k = s.m;
    else if (numbers != 3)
      fprintf(stderr, "ladder07: not a size: %s\n", argv[i]), exit(2);
    shapes.push_back(s);
  }
  return shapes;
}

int main(int argc, char **argv) {
  const bool check = argc > 1 && !strcmp(argv[1], "--check");
  std::vector<shape> shapes = shapes_of(argc, argv, 1 + check), double_shapes = shapes;
  if (shapes.empty() && check)
    shapes = {{1, 1, 1},     {129, 67, 33},  {64, 260, 40}, {257, 131, 8},
              {130, 300, 7}, {33, 516, 100}, {34, 68, 300}};
  if (shapes.empty() && !check) {
    shapes = {{512, 512, 512},    {1024, 1024, 1024}, {1024, 512, 2048},  {2048, 2048, 2048},
              {4096, 4096, 4096}, {8192, 8192, 8192}, {1023, 1023, 1023}, {4095, 4095, 4095},
              {1024, 2048, 512},  {8192, 64, 8192},   {64, 8192, 8192}};
    double_shapes = {{1024, 512, 2048}};
  }

  CHECK(cublasCreate(&handle));
  CHECK(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  std::vector<rung<float>> rungs = {{"cuBLAS", "the 100 % line", library}};
  for (const matmul_stage *stage = matmul_stages; stage->name; stage++)
    if (runs_here(*stage)) rungs.push_back({stage->name, stage->idea, stage->function});
  const std::vector<rung<double>> doubles = {{"cuBLAS", "with tensor cores, where there are some", library},
                                             {"tiled16", "tiles of 16 x 16", tiled_double<16>},
                                             {"tiled32", "tiles of 32 x 32", tiled_double<32>}};

  std::vector<speeds> found, found_double;
  for (shape s : shapes) found.push_back(measure(s, rungs, !check));
  for (shape s : check ? shapes : double_shapes) found_double.push_back(measure(s, doubles, !check));
  CHECK(cublasDestroy(handle));
  if (!check) {
    print_tables(rungs, shapes, found);
    print_tables(doubles, double_shapes, found_double);
    print_origin();
  }
  if (check || wrong_answers) printf("%d wrong answers\n", wrong_answers);
  return wrong_answers > 0;
}
