// expect: memcheck: -
// says: cudaFree of a pointer that was not returned by a CUDA allocation; malloc goes with free
/* h_ and d_ are one letter apart. */
#include "program.h"

int main() {
  float *h_x = (float *)malloc(64 * sizeof *h_x), *d_x;
  CHECK(cudaMalloc(&d_x, 64 * sizeof *d_x));
#ifndef FIXED
  cudaFree(h_x); // <- at
#endif
  free(h_x);
  cudaFree(d_x);
}
