// expect: memcheck: fill
// says: before the start of; element -; int
/* 50000 rows of 50000 are more elements than an int can count: the last row begins below zero. */
#include "program.h"

__global__ void fill(float *x, int row, int columns) {
#ifdef FIXED
  size_t i = (size_t)row * columns % 1000;
#else
  int i = (int)((unsigned)row * (unsigned)columns); // row * columns, as the processor computes it
#endif
  x[i] = 1.0f; // <- at
}

int main() {
  float *x;
  CHECK(cudaMalloc(&x, 1000 * sizeof *x));
  fill<<<1, 1>>>(x, 49999, 50000);
  cudaDeviceSynchronize();
  cudaFree(x);
}
