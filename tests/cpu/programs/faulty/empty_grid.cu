// expect: memcheck: ?
// says: kernel add_one was not launched: a grid of (0,1,1) blocks; n / 256, is 0
/* 100 / 256 is 0: no block at all. */
#include "program.h"

__global__ void add_one(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] += 1;
}

int main() {
  const int n = 100;
  int *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
  CHECK(cudaMemset(x, 0, n * sizeof *x));
#ifdef FIXED
  add_one<<<(n + 255) / 256, 256>>>(x, n);
#else
  add_one<<<n / 256, 256>>>(x, n); // <- at
#endif
  cudaDeviceSynchronize();
  cudaFree(x);
}
