/*
 * ladder06: compares every version of lesson06's solution with CUB, in one program. common/cpu/cucc compiles it
 * too, then without CUB.
 *
 *     nvcc -std=c++17 -O3 -arch=sm_90 -I lessons/lesson06 -o ladder06 tests/jobs/gpu/ladder06.cu
 *
 * Every result is verified. Versions are timed in turn (A B C A B C ...) with events. Prints the medians as
 * Markdown for results/: time, GB/s of input read, and the ratio to CUB. $COMMIT names the commit.
 *
 *     ladder06 [log2 of n [rounds]]
 */
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "origin.h"

#ifndef CUCC /* nvcc; common/cpu/cucc, which has no CUB, defines it */
#include <cub/cub.cuh>
#define HAVE_CUB 1
#endif

#include "../../../solutions/lesson06/atomics.cu" /* last: CUB would see its macros */

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "ladder06: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error_));   \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* One version: a name, its idea, and a call that writes `results` words to d_result. */
template <class in> struct candidate {
  std::string name, idea;
  std::function<cudaError_t(const in *d_x, size_t n, void *d_result)> run;
};
template <class in> using candidates = std::vector<candidate<in>>;

/* A job to measure: n elements of input, the number of words of the result, and a check of the result. */
template <class in> struct job {
  const char *title;
  const in *d_x;
  size_t n, words;
  std::function<bool(const uint32_t *result)> right;
};

static int rounds = 21;
#define WARM_UPS 2
static bool all_right = true;

static float median(std::vector<float> times) {
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

/* Runs the version once on a poisoned result: milliseconds by events, and its result. */
template <class in>
static float run_once(const job<in> &j, const candidate<in> &version, uint32_t *d_result,
                      std::vector<uint32_t> &result) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaMemset(d_result, 0xff, j.words * sizeof(uint32_t)));
  CHECK(cudaEventRecord(start, 0));
  CHECK(version.run(j.d_x, j.n, d_result));
  CHECK(cudaEventRecord(stop, 0));
  CHECK(cudaMemcpy(result.data(), d_result, j.words * sizeof(uint32_t), cudaMemcpyDeviceToHost));
  float time_ms = 0;
  CHECK(cudaEventElapsedTime(&time_ms, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return time_ms;
}

/* A line of a table. */
template <class in>
static void print_version(const candidate<in> &version, const std::vector<float> &times, double bytes,
                          float cub_ms, size_t results, int wrong) {
  const float time_ms = median(times), least_ms = *std::min_element(times.begin(), times.end());
  char ratio[32] = "", remark[64] = "";
  if (cub_ms > 0) snprintf(ratio, sizeof ratio, "%.3f", cub_ms / time_ms);
  if (results > 1)
    snprintf(remark, sizeof remark, "%zu different results in %d runs", results, rounds + WARM_UPS);
  if (wrong) snprintf(remark, sizeof remark, "WRONG %d times", wrong);
  printf("| %s | %s | %.4f | %.4f | %.0f | %s | %s |\n", version.name.c_str(), version.idea.c_str(), time_ms,
         least_ms, 1e-6 * bytes / time_ms, ratio, remark);
}

/* Times all versions in turn and prints a line for each. The one called CUB is 1.000. */
template <class in> static void measure(const job<in> &j, const candidates<in> &versions) {
  uint32_t *d_result;
  CHECK(cudaMalloc(&d_result, j.words * sizeof(uint32_t)));
  std::vector<uint32_t> result(j.words);
  std::vector<std::vector<float>> times(versions.size());
  std::vector<std::set<std::vector<uint32_t>>> results(versions.size());
  std::vector<int> wrong(versions.size());
  for (int round = -WARM_UPS; round < rounds; round++)
    for (size_t v = 0; v < versions.size(); v++) {
      const float time_ms = run_once(j, versions[v], d_result, result);
      if (round >= 0) times[v].push_back(time_ms);
      results[v].insert(result);
      wrong[v] += !j.right(result.data());
    }
  CHECK(cudaFree(d_result));

  float cub_ms = 0;
  for (size_t v = 0; v < versions.size(); v++)
    if (versions[v].name == "CUB") cub_ms = median(times[v]);
  printf("\n| %s | idea | median ms | least ms | GB/s | x CUB | |\n|---|---|---|---|---|---|---|\n", j.title);
  for (size_t v = 0; v < versions.size(); v++) {
    print_version(versions[v], times[v], (double)j.n * sizeof(in), cub_ms, results[v].size(), wrong[v]);
    all_right = all_right && wrong[v] == 0;
  }
  fflush(stdout);
}

/* ---- Data ---- */

/* 32 random bits for element i: the finaliser of murmur3 (Appleby). */
static __host__ __device__ uint32_t random_bits(uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

enum float_kind { MIXED, NEGATIVE };
static const char *const float_kinds[] = {"both signs", "all negative"};

/* Magnitudes in [1, 2). */
static __host__ __device__ float float_of(float_kind kind, uint32_t i) {
  const uint32_t bits = random_bits(i);
  const float magnitude = 1 + (bits >> 9) * 0x1p-23f;
  return kind == NEGATIVE || (bits & 1) ? -magnitude : magnitude;
}

enum byte_kind { UNIFORM, SKEWED, EQUAL };
static const char *const byte_kinds[] = {"uniform", "skewed", "all equal"};

/* Skewed: value k with probability 2^-(k+1), as the lengths of runs or the digits of small numbers are. */
static __host__ __device__ uint8_t byte_of(byte_kind kind, uint32_t i) {
  if (kind == EQUAL) return 77;
  const uint32_t bits = random_bits(i);
  if (kind == UNIFORM) return bits >> 24;
  uint8_t k = 0;
  while (k < 31 && (bits >> k & 1)) k++;
  return k;
}

static __global__ void floats_kernel(float *d_x, size_t n, float_kind kind) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = float_of(kind, (uint32_t)i);
}

static __global__ void bytes_kernel(uint8_t *d_x, size_t n, byte_kind kind) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = byte_of(kind, (uint32_t)i);
}

/* The host's results for the same data. */
struct truth {
  float largest;
  int32_t largest_bits; /* of the same words read as integers */
  double sum, sum_of_magnitudes;
};

static truth floats_truth(float_kind kind, size_t n) {
  truth t = {-INFINITY, INT32_MIN, 0, 0};
  for (size_t i = 0; i < n; i++) {
    const float x = float_of(kind, (uint32_t)i);
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    t.largest = std::max(t.largest, x);
    t.largest_bits = std::max(t.largest_bits, bits);
    t.sum += x;
    t.sum_of_magnitudes += fabsf(x);
  }
  return t;
}

/* ---- The versions ---- */

#ifdef HAVE_CUB
/* Calls a function of CUB with temporary storage that is allocated at the first call, a warm-up. */
template <class function> static cudaError_t with_storage(function call) {
  static void *d_storage;
  static size_t room;
  size_t needed = 0;
  cudaError_t error = call(nullptr, needed);
  if (!error && needed > room) {
    cudaFree(d_storage);
    error = cudaMalloc(&d_storage, needed);
    room = needed;
  }
  return error ? error : call(d_storage, needed);
}
#endif

static candidates<float> maximum_candidates() {
  candidates<float> list;
#ifdef HAVE_CUB
  list.push_back({"CUB", "NVIDIA's library", [](const float *d_x, size_t n, void *d_max) {
                    return with_storage([=](void *d_storage, size_t &room) {
                      return cub::DeviceReduce::Max(d_storage, room, d_x, (float *)d_max, n);
                    });
                  }});
#endif
  for (const auto &version : maximum_versions)
    list.push_back({version.name, version.idea, [run = version.run](const float *d_x, size_t n, void *d_max) {
                      return run(d_x, n, (float *)d_max);
                    }});
  return list;
}

static candidates<int32_t> integer_candidates() {
  candidates<int32_t> list;
#ifdef HAVE_CUB
  list.push_back({"CUB", "NVIDIA's library", [](const int32_t *d_x, size_t n, void *d_max) {
                    return with_storage([=](void *d_storage, size_t &room) {
                      return cub::DeviceReduce::Max(d_storage, room, d_x, (int32_t *)d_max, n);
                    });
                  }});
#endif
  list.push_back({"global", "one atomic an element", [](const int32_t *d_x, size_t n, void *d_max) {
                    return maximum_global(d_x, n, (int32_t *)d_max);
                  }});
  return list;
}

static candidates<uint8_t> histogram_candidates() {
  candidates<uint8_t> list;
#ifdef HAVE_CUB
  list.push_back({"CUB", "NVIDIA's library", [](const uint8_t *d_x, size_t n, void *d_counts) {
                    return with_storage([=](void *d_storage, size_t &room) {
                      return cub::DeviceHistogram::HistogramEven(d_storage, room, d_x, (uint32_t *)d_counts,
                                                                 BINS + 1, 0, BINS, (int64_t)n);
                    });
                  }});
#endif
  for (const auto &version : histogram_versions)
    list.push_back(
        {version.name, version.idea, [run = version.run](const uint8_t *d_x, size_t n, void *d_counts) {
           return run(d_x, n, (uint32_t *)d_counts);
         }});
  return list;
}

static candidates<float> sum_candidates(float *d_work) {
  candidates<float> list;
#ifdef HAVE_CUB
  list.push_back({"CUB", "NVIDIA's library", [](const float *d_x, size_t n, void *d_sum) {
                    return with_storage([=](void *d_storage, size_t &room) {
                      return cub::DeviceReduce::Sum(d_storage, room, d_x, (float *)d_sum, n);
                    });
                  }});
#endif
  for (const auto &version : sum_versions)
    list.push_back(
        {version.name, version.idea, [=, run = version.run](const float *d_x, size_t n, void *d_sum) {
           return run(d_x, n, (float *)d_sum, d_work);
         }});
  return list;
}

/* ---- The jobs ---- */

static float as_float(uint32_t word) {
  float x;
  memcpy(&x, &word, sizeof x);
  return x;
}

static void measure_floats(float_kind kind, size_t n, const candidates<float> &maxima,
                           const candidates<float> &sums, const candidates<int32_t> &integers) {
  float *d_x;
  CHECK(cudaMalloc(&d_x, n * sizeof *d_x));
  floats_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_x, n, kind);
  CHECK(cudaGetLastError());
  const truth t = floats_truth(kind, n);
  char title[100];

  snprintf(title, sizeof title, "maximum of %zu floats, %s", n, float_kinds[kind]);
  measure(job<float>{title, d_x, n, 1, [&](const uint32_t *r) { return as_float(*r) == t.largest; }}, maxima);
  if (kind == NEGATIVE) {
    snprintf(title, sizeof title, "maximum of %zu integers, the bits of floats, %s", n, float_kinds[kind]);
    measure(job<int32_t>{title, (const int32_t *)d_x, n, 1,
                         [&](const uint32_t *r) { return (int32_t)*r == t.largest_bits; }},
            integers);
  } else {
    const double additions = 2 + n / 0x1p18 + 40, tolerance = additions * 0x1p-24 * t.sum_of_magnitudes;
    snprintf(title, sizeof title, "sum of %zu floats, %s", n, float_kinds[kind]);
    measure(job<float>{title, d_x, n, 1,
                       [&](const uint32_t *r) { return fabs(as_float(*r) - t.sum) <= tolerance; }},
            sums);
  }
  CHECK(cudaFree(d_x));
}

static void measure_bytes(byte_kind kind, size_t n, const candidates<uint8_t> &histograms) {
  uint8_t *d_x;
  CHECK(cudaMalloc(&d_x, n));
  bytes_kernel<<<ceil_div(n, THREADS), THREADS>>>(d_x, n, kind);
  CHECK(cudaGetLastError());
  std::vector<uint32_t> counts(BINS);
  for (size_t i = 0; i < n; i++) counts[byte_of(kind, (uint32_t)i)]++;
  char title[100];
  snprintf(title, sizeof title, "histogram of %zu bytes, %s", n, byte_kinds[kind]);
  measure(job<uint8_t>{title, d_x, n, BINS,
                       [&](const uint32_t *r) { return std::equal(counts.begin(), counts.end(), r); }},
          histograms);
  CHECK(cudaFree(d_x));
}

static void print_head() {
  printf("# Every version of lesson 06 compared with CUB\n\n"
         "Written by `tests/jobs/gpu/ladder06.cu`: medians of %d rounds, the versions in turn, every result "
         "verified.\n\n%s",
         rounds, origin().c_str());
}

int main(int argc, char **argv) {
  const size_t n = (size_t)1 << (argc > 1 ? atoi(argv[1]) : 28);
  if (argc > 2) rounds = atoi(argv[2]);
  print_head();
  float *d_work;
  CHECK(cudaMalloc(&d_work, WORK_COUNT * sizeof *d_work));
  for (const float_kind kind : {MIXED, NEGATIVE})
    measure_floats(kind, n, maximum_candidates(), sum_candidates(d_work), integer_candidates());
  CHECK(cudaFree(d_work));
  for (const byte_kind kind : {UNIFORM, SKEWED, EQUAL}) measure_bytes(kind, n, histogram_candidates());
  return all_right ? 0 : 1;
}
