// expect: memcheck: -
// says: cudaMemcpy of 8000 bytes: the destination has only 4000 bytes; bytes of another type
/* sizeof(double) for an array of float. */
#include "program.h"

int main() {
  const int n = 1000;
  static double h[n];
  float *d;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
#ifdef FIXED
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
#else
  cudaMemcpy(d, h, n * sizeof(double), cudaMemcpyHostToDevice); // <- at
#endif
  CHECK(cudaFree(d));
}
