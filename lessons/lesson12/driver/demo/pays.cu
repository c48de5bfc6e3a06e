/*
 * pays.cu: after how many calls has compiling paid? A polynomial of n points, by a kernel that gets its degree and
 * coefficients at run time, and by one that your functions compile for them. There is nothing to write here:
 * build it with your jit.cu, run it, and compare the columns.
 *
 *     nvcc -O3 -I lessons/lesson12 -o build/pays lessons/lesson12/driver/demo/pays.cu lessons/lesson12/jit.cu \
 *       -lnvrtc -lcuda && build/pays
 *
 * With common/cpu/cucc it runs without a GPU; then its times say nothing.
 *
 *     pays [n [degree ...]]         default: a million points; degrees 3, 15, 63 and 255
 */
#include "jit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define THREADS 256
#define CALLS   40 /* of each kernel */

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_) {                                                                                            \
      fprintf(stderr, "pays: %s: %s\n", #call, cudaGetErrorString(error_));                                  \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

static __global__ void generic_kernel(const float *d_c, int degree, const float *d_x, float *d_y, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = d_c[degree];
  for (int k = degree - 1; k >= 0; k--) sum = fmaf(sum, d_x[i], d_c[k]);
  d_y[i] = sum;
}

static uint32_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint32_t)(1000000000ull * (uint64_t)t.tv_sec + (uint64_t)t.tv_nsec);
}

/* Writes the polynomial, compiles it, loads it. */
static CUmodule special_module(const float *h_c, int degree) {
  static char log[1 << 16];
  CUmodule module;
  const size_t size = write_polynomial(h_c, degree, NULL, 0) + 1;
  char *text = (char *)malloc(size);
  if (!text) exit(1);
  write_polynomial(h_c, degree, text, size);
  const cudaError_t error = compile_module(text, NULL, 0, &module, log, sizeof log);
  if (error) fprintf(stderr, "%s", log);
  CHECK(error);
  free(text);
  return module;
}

static void compare(int degree, const float *d_x, float *d_y, size_t n) {
  uint32_t generic_ns[CALLS], special_ns[CALLS];
  const size_t bytes = ((size_t)degree + 1) * sizeof(float);
  float *h_c = (float *)malloc(bytes), *d_c;
  if (!h_c) exit(1);
  for (int k = 0; k <= degree; k++) h_c[k] = 1.0f / (float)(k + 1);
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMemcpy(d_c, h_c, bytes, cudaMemcpyHostToDevice));
  CUmodule module = NULL;
  for (int call = 0; call < CALLS; call++) {
    uint32_t start = now_ns();
    generic_kernel<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS>>>(d_c, degree, d_x, d_y, n);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    generic_ns[call] = now_ns() - start;
    start = now_ns();
    if (!module) module = special_module(h_c, degree);
    CHECK(launch_map(module, d_x, d_y, n));
    CHECK(cudaDeviceSynchronize());
    special_ns[call] = now_ns() - start;
  }
  printf("%6d  %10.1f  %10.1f  %12.1f  %12llu\n", degree, generic_ns[CALLS - 1] * 1e-3,
         special_ns[CALLS - 1] * 1e-3, special_ns[0] * 1e-3,
         (unsigned long long)calls_to_break_even(generic_ns, special_ns, CALLS));
  cuModuleUnload(module);
  CHECK(cudaFree(d_c));
  free(h_c);
}

int main(int argc, char **argv) {
  static const int degrees[] = {3, 15, 63, 255};
  const size_t n = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
  float *d_x, *d_y;
  CHECK(cudaMalloc(&d_x, (n + 1) * sizeof(float)));
  CHECK(cudaMalloc(&d_y, (n + 1) * sizeof(float)));
  CHECK(cudaMemset(d_x, 0, n * sizeof(float)));
  printf("degree  generic us  special us  first call us  pays after calls\n");
  for (int i = 2; i < argc; i++) compare(atoi(argv[i]), d_x, d_y, n);
  for (size_t i = 0; argc < 3 && i < sizeof degrees / sizeof *degrees; i++) compare(degrees[i], d_x, d_y, n);
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
  return 0;
}
