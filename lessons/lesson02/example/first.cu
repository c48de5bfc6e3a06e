/*
 * first.cu: a whole CUDA program, with its own main. It asks which device there is, prints from a kernel, and
 * measures a kernel with events.
 *
 *   nvcc -o first first.cu && ./first                          with a GPU
 *   compute-sanitizer ./first                                  the same, every memory access checked
 *   common/cpu/cucc -o first lessons/lesson02/example/first.cu && ./first      without a GPU, always checked
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if `call` fails, and prints which call it was, where, and why. */
#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t error = (call);                                                                        \
    if (error != cudaSuccess) {                                                                              \
      fprintf(stderr, "%s:%d: %s: %s (%d)\n", __FILE__, __LINE__, #call, cudaGetErrorString(error), error);  \
      exit(1);                                                                                               \
    }                                                                                                        \
  } while (0)

/* A kernel can print. The text appears when the host next waits for the device. */
__global__ void greet_kernel() {
  printf("block %d, thread %d: i is %d\n", (int)blockIdx.x, (int)threadIdx.x,
         (int)(blockIdx.x * blockDim.x + threadIdx.x));
}

__global__ void fill_kernel(float *d_x, int n, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) d_x[i] = value;
}

/* The questions that a program asks about its device. */
static void print_device(void) {
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  struct cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  printf("%d device%s; device 0 is %s: compute capability %d.%d, %d multiprocessors, %.1f GiB\n", count,
         count == 1 ? "" : "s", device.name, device.major, device.minor, device.multiProcessorCount,
         (double)device.totalGlobalMem / (1 << 30));
}

int main(void) {
  const int n = 1000003, threads = 256, blocks = (n + threads - 1) / threads;
  print_device();

  greet_kernel<<<2, 2>>>();
  CHECK(cudaGetLastError());      /* was the launch accepted? */
  CHECK(cudaDeviceSynchronize()); /* did the kernel run to its end? */

  float *d_x = NULL, h_last = 0;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));

  /* Events are marks in the device's queue, so the time between two of them is the device's own. The first
   * launch of a kernel also loads it: measure a later one. */
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  fill_kernel<<<blocks, threads>>>(d_x, n, 1);
  CHECK(cudaEventRecord(begin));
  fill_kernel<<<blocks, threads>>>(d_x, n, 2);
  CHECK(cudaEventRecord(end));
  CHECK(cudaGetLastError());
  CHECK(cudaEventSynchronize(end));
  float time_ms = 0;
  CHECK(cudaEventElapsedTime(&time_ms, begin, end));

  CHECK(cudaMemcpy(&h_last, d_x + n - 1, sizeof h_last, cudaMemcpyDeviceToHost));
  printf("the last element is %g; the kernel took %.3f ms, %.1f GB/s\n", h_last, time_ms,
         n * sizeof(float) / 1e6 / time_ms);

  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaFree(d_x));
  return 0;
}
