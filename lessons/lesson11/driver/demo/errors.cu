/*
 * errors.cu: how far sums of positive products are from the right ones, by their length and by the way.
 *
 *     common/cpu/cucc -I lessons/lesson11 -o build/errors lessons/lesson11/driver/demo/errors.cu \
 *       lessons/lesson11/cublas.cu -lcublas && build/errors
 *
 * With nvcc in the place of cucc it runs on a GPU.
 */
#include "cublas.h"

#include <math.h>
#include <stdio.h>

#define SIDE 16
#define MOST 16384

static float a[SIDE * MOST], b[MOST * SIDE], c[SIDE * SIDE];
static float *d_a, *d_b, *d_c, *d_work;

/* Prints the largest error of an element, relative to the element, as a power of two. */
static cudaError_t print_error(cudaError_t error, int k) {
  if (!error) error = cudaMemcpy(c, d_c, sizeof c, cudaMemcpyDeviceToHost);
  double largest = 0;
  for (int i = 0; i < SIDE; i++)
    for (int j = 0; j < SIDE; j++) {
      double right = 0;
      for (int p = 0; p < k; p++) right += (double)a[i * k + p] * b[p * SIDE + j];
      largest = fmax(largest, fabs(c[i * SIDE + j] / right - 1));
    }
  printf("        2^%-5.1f", log2(largest));
  return error;
}

int main() {
  cublasHandle_t handle;
  unsigned state = 1;
  for (int i = 0; i < SIDE * MOST; i++) {
    a[i] = 0.5f + ((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
    b[i] = 0.5f + ((state = state * 1664525u + 1013904223u) >> 8) * 0x1p-24f;
  }
  cudaError_t error = cuda_error(cublasCreate(&handle));
  if (!error) error = cudaMalloc(&d_a, sizeof a);
  if (!error) error = cudaMalloc(&d_b, sizeof b);
  if (!error) error = cudaMalloc(&d_c, sizeof c);
  if (!error) error = cudaMalloc(&d_work, 2 * (sizeof a + sizeof b));
  if (!error) error = cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(d_b, b, sizeof b, cudaMemcpyHostToDevice);
  printf("terms     TF32 inputs   split in two   in chunks    own kernel\n");
  for (int k = 64; k <= MOST && !error; k *= 4) {
    printf("%5d", k);
    error = print_error(gemm_to(handle, 0, 0x1p-9, SIDE, SIDE, k, d_a, d_b, d_c, d_work), k);
    const double bound = 0x1p-20 + k * 0x1p-25;
    if (!error) error = print_error(gemm_to(handle, 0, bound, SIDE, SIDE, k, d_a, d_b, d_c, d_work), k);
    if (!error) error = print_error(gemm_split(handle, 0, SIDE, SIDE, k, d_a, d_b, d_c, d_work), k);
    if (!error) error = print_error(gemm_tensor(0, SIDE, SIDE, k, d_a, d_b, d_c), k);
    printf("\n");
  }
  if (error) printf("%s\n", cudaGetErrorString(error));
  for (float *array : {d_a, d_b, d_c, d_work}) cudaFree(array);
  cublasDestroy(handle);
  return error ? 1 : 0;
}
