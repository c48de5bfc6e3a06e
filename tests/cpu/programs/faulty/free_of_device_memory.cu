// expect: memcheck: -
// says: free of device memory; cudaMalloc goes with cudaFree
/* Habit: malloc, free. */
#include "program.h"

int main() {
  float *x;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
#ifdef FIXED
  cudaFree(x);
#else
  free(x); // <- at
  cudaFree(x);
#endif
}
