// expect: memcheck: square
// says: writes through a null pointer
/* A caller that does not want the signs passes NULL for them, but the kernel writes them anyway. */
#include "program.h"

#define LAUNCH(kernel, n, ...) kernel<<<((n) + 127) / 128, 128>>>(n, __VA_ARGS__)

__global__ void square(int n, float *x, int *signs) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#ifdef FIXED
  if (signs) signs[i] = x[i] < 0;
#else
  signs[i] = x[i] < 0; // <- at
#endif
  x[i] *= x[i];
}

int main() {
  const int n = 1000;
  float *d;
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaMemset(d, 0, n * sizeof *d));
  LAUNCH(square, n, d, NULL);
  cudaDeviceSynchronize();
  cudaFree(d);
}
