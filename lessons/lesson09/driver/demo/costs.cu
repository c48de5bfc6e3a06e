/*
 * costs.cu: what the sine of n floats costs on a GPU: the first call, a warm call, the copies; and on one core
 * of the host. There is nothing to write here: build it, run it, and compare the columns.
 *
 *     nvcc -O3 -o build/costs lessons/lesson09/driver/demo/costs.cu && build/costs
 *
 * With common/cpu/cucc it runs without a GPU; then its times say nothing.
 *
 *     costs [n ...]         default: a thousand to a hundred million
 */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 256
#define TRIES   7 /* of a warm call, of the copies and of the host; the least counts */

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "costs: %s: %s\n", #call, cudaGetErrorString(error_));                                 \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static __global__ void sin_kernel(const float *d_x, float *d_y, size_t n) {
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) d_y[i] = sinf(d_x[i]);
}

static double now_us(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

/* The time of one launch, and of the wait until it is done. */
static double launch_us(const float *d_x, float *d_y, size_t n) {
  const size_t blocks = (n + THREADS - 1) / THREADS;
  const unsigned grid = blocks < 65536 ? (unsigned)blocks : 65536;
  const double start = now_us();
  sin_kernel<<<grid, THREADS>>>(d_x, d_y, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  return now_us() - start;
}

static void print_costs(size_t n) {
  const size_t bytes = n * sizeof(float);
  float *h_x = (float *)malloc(bytes), *h_y = (float *)malloc(bytes), *d_x = NULL, *d_y = NULL;
  if (!h_x || !h_y) exit(1);
  for (size_t i = 0; i < n; i++) h_x[i] = (float)(i % 1000) * 0.01f;
  CHECK(cudaMalloc(&d_x, bytes));
  CHECK(cudaMalloc(&d_y, bytes));
  CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));

  const double first = launch_us(d_x, d_y, n);
  double warm = INFINITY, copies = INFINITY, host = INFINITY;
  for (int attempt = 0; attempt < TRIES; attempt++) {
    warm = fmin(warm, launch_us(d_x, d_y, n));
    double start = now_us();
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(h_y, d_y, bytes, cudaMemcpyDeviceToHost));
    copies = fmin(copies, now_us() - start);
    start = now_us();
    for (size_t i = 0; i < n; i++) h_y[i] = sinf(h_x[i]);
    host = fmin(host, now_us() - start);
  }
  printf("| %10zu | %10.1f | %10.1f | %10.1f | %10.1f | %7.2f | %7.2f |\n", n, first, warm, copies, host,
         host / warm, host / (warm + copies));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  free(h_x);
  free(h_y);
}

int main(int argc, char **argv) {
  CHECK(cudaFree(NULL)); /* the context is not a cost of the sine */
  printf("| n | first call us | warm call us | copies us | one core us | ratio | ratio with copies |\n");
  printf("|---|---|---|---|---|---|---|\n");
  for (int i = 1; i < argc; i++) print_costs((size_t)atoll(argv[i]));
  for (size_t n = 1000; n <= 100000000 && argc == 1; n *= 10) print_costs(n);
  return 0;
}
