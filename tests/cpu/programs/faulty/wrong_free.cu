// expect: memcheck: -
// says: cudaFree of pinned host memory; cudaFreeHost
/* Pinned memory given to cudaFree. */
#include "program.h"

int main() {
  float *h;
  CHECK(cudaMallocHost(&h, 400));
#ifndef FIXED
  cudaFree(h); // <- at
#endif
  CHECK(cudaFreeHost(h));
}
