// expect: memcheck: -
// says: cudaMemset of 800 bytes: the destination has only 400 bytes; bytes of another type
/* The array is of float, the size in the call of double. */
#include "program.h"

int main() {
  const int n = 100;
  float *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
#ifdef FIXED
  cudaMemset(x, 0, n * sizeof(float));
#else
  cudaMemset(x, 0, n * sizeof(double)); // <- at
#endif
  cudaFree(x);
}
