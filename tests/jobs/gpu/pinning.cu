/*
 * pinning.cu: measures the costs of memory that lesson04's page gives, and prints two tables in Markdown: the
 * cost of pinning compared with that of the copies, and managed memory.
 *
 *     nvcc -O3 -arch=sm_90 -o pinning tests/jobs/gpu/pinning.cu && ./pinning
 *
 * Every figure is the median of REPEATS runs on fresh memory that the host has written to. Takes some
 * seconds.
 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "origin.h"

#define REPEATS 5
#define THREADS 256

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "pinning.cu:%d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error_));               \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *value) {
  qsort(value, REPEATS, sizeof *value, by_size);
  return value[REPEATS / 2];
}

/* The time of a statement in ms; what it queued is waited for. */
#define TIME(to, statement)                                                                                  \
  do {                                                                                                       \
    const double start_ = now_ms();                                                                          \
    CHECK(statement);                                                                                        \
    CHECK(cudaDeviceSynchronize());                                                                          \
    (to) = now_ms() - start_;                                                                                \
  } while (0)

/* ---- Pinning ---- */

/* Fresh pages, written to: shared, as the lessons' arrays are. */
static void *fresh(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) exit(1);
  memset(memory, 1, bytes);
  return memory;
}

static void pinning(size_t bytes, void *d_x) {
  enum { ALLOCATE, FREE, REGISTER, UNREGISTER, PAGEABLE_IN, PAGEABLE_OUT, PINNED_IN, PINNED_OUT, COUNT };
  double ms[COUNT][REPEATS], at[COUNT];
  for (int r = 0; r < REPEATS; r++) {
    void *h_pinned = NULL, *h_x = fresh(bytes);
    TIME(ms[ALLOCATE][r], cudaMallocHost(&h_pinned, bytes));
    TIME(ms[FREE][r], cudaFreeHost(h_pinned));
    TIME(ms[PAGEABLE_IN][r], cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    TIME(ms[PAGEABLE_OUT][r], cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    TIME(ms[REGISTER][r], cudaHostRegister(h_x, bytes, cudaHostRegisterDefault));
    TIME(ms[PINNED_IN][r], cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    TIME(ms[PINNED_OUT][r], cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost));
    TIME(ms[UNREGISTER][r], cudaHostUnregister(h_x));
    munmap(h_x, bytes);
  }
  printf("| %zu |", bytes >> 10);
  for (int k = 0; k < COUNT; k++) {
    at[k] = median(ms[k]);
    printf(" %.4g |", at[k]);
  }
  const double saved = at[PAGEABLE_IN] + at[PAGEABLE_OUT] - at[PINNED_IN] - at[PINNED_OUT];
  printf(" %.3g |\n", (at[REGISTER] + at[UNREGISTER]) / saved);
}

/* ---- Managed and mapped memory ---- */

static __global__ void increment(uint32_t *x, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i]++;
}

static __global__ void read_all(const uint32_t *x, size_t n, uint32_t *d_never) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] == 12345) *d_never = 1;
}

static cudaError_t run(uint32_t *x, size_t n) {
  increment<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(x, n);
  return cudaGetLastError();
}

static cudaError_t look(const uint32_t *x, size_t n, uint32_t *d_never) {
  read_all<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(x, n, d_never);
  return cudaGetLastError();
}

static cudaError_t to_device(void *x, size_t bytes) {
#if CUDART_VERSION >= 13000
  cudaMemLocation there;
  memset(&there, 0, sizeof there);
  there.type = cudaMemLocationTypeDevice;
  return cudaMemPrefetchAsync(x, bytes, there, 0, 0);
#else
  return cudaMemPrefetchAsync(x, bytes, 0, 0);
#endif
}

static cudaError_t write_all(void *x, size_t bytes) {
  memset(x, 2, bytes);
  return cudaSuccess;
}

static void row(const char *what, double *ms, size_t bytes) {
  const double at = median(ms);
  printf("| %s | %.4g | %.4g |\n", what, at, (double)bytes / at / 1e6);
}

static void managed(size_t bytes, uint32_t *d_x) {
  enum { FAULTS, THERE, BACK, PREFETCH, AFTER, MAPPED_READ, MAPPED_BOTH, COUNT };
  double ms[COUNT][REPEATS];
  const size_t n = bytes / sizeof(uint32_t);
  for (int r = 0; r < REPEATS; r++) {
    uint32_t *x = NULL, *h_x = NULL;
    CHECK(cudaMallocManaged(&x, bytes));
    memset(x, 1, bytes);
    TIME(ms[FAULTS][r], run(x, n));
    TIME(ms[THERE][r], run(x, n));
    TIME(ms[BACK][r], write_all(x, bytes));
    TIME(ms[PREFETCH][r], to_device(x, bytes));
    TIME(ms[AFTER][r], run(x, n));
    CHECK(cudaFree(x));
    CHECK(cudaMallocHost(&h_x, bytes));
    memset(h_x, 1, bytes);
    TIME(ms[MAPPED_READ][r], look(h_x, n, d_x));
    TIME(ms[MAPPED_BOTH][r], run(h_x, n));
    CHECK(cudaFreeHost(h_x));
  }
  printf("\n| %zu MiB | ms | GB/s |\n|---|---|---|\n", bytes >> 20);
  row("managed: a kernel is the first to touch what the host wrote", ms[FAULTS], bytes);
  row("managed: the next kernel", ms[THERE], bytes);
  row("managed: the host writes it again", ms[BACK], bytes);
  row("managed: prefetched to the device", ms[PREFETCH], bytes);
  row("managed: a kernel after that", ms[AFTER], bytes);
  row("mapped: a kernel reads it", ms[MAPPED_READ], bytes);
  row("mapped: a kernel reads and writes it in place (bytes counted once)", ms[MAPPED_BOTH], bytes);
}

int main(void) {
  const size_t most = (size_t)1 << 28;
  void *d_x = NULL;
  CHECK(cudaMalloc(&d_x, most));
  CHECK(cudaMemset(d_x, 0, most));
  CHECK(run((uint32_t *)d_x, 1 << 20)); /* loads the code */
  CHECK(look((const uint32_t *)d_x, 1 << 20, (uint32_t *)d_x));
  CHECK(cudaDeviceSynchronize());
  printf("| KiB | cudaMallocHost ms | cudaFreeHost | cudaHostRegister | cudaHostUnregister | pageable in | "
         "pageable out | pinned in | pinned out | trips that repay registering |\n"
         "|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t bytes = (size_t)1 << 16; bytes <= most; bytes *= 8) pinning(bytes, d_x);
  managed((size_t)1 << 26, (uint32_t *)d_x);
  printf("\n%s", origin().c_str());
  CHECK(cudaFree(d_x));
  return 0;
}
