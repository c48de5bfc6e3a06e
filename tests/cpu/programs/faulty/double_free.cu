// expect: memcheck: -
// says: cudaFree of memory that is already freed; two cudaFree for one cudaMalloc
/* Freed in the loop and after it. */
#include "program.h"

int main() {
  float *d[2];
  for (int i = 0; i < 2; i++) CHECK(cudaMalloc(&d[i], 400));
  for (int i = 0; i < 2; i++) cudaFree(d[i]);
#ifndef FIXED
  cudaFree(d[0]); // <- at
#endif
}
