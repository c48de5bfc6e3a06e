// expect: memcheck: -
// says: kernel scale was not launched: entry 1 of its array of arguments is a number; = {&d_x, &n}
/* A launch by address whose array of arguments holds a value in the place of its address. */
#include "program.h"

__global__ void scale(float *x, int n) {
  if (threadIdx.x < n) x[threadIdx.x] *= 2;
}

int main() {
  float *x;
  int n = 64;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMemset(x, 0, 64 * sizeof *x));
#ifdef FIXED
  void *arguments[] = {&x, &n};
#else
  void *arguments[] = {&x, (void *)(size_t)n};
#endif
  cudaLaunchKernel(scale, dim3(1), dim3(64), arguments, 0, 0); // <- at
  cudaDeviceSynchronize();
  cudaFree(x);
}
