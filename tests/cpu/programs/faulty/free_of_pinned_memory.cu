// expect: memcheck: -
// says: free of pinned host memory; cudaFreeHost
/* It is host memory, so free() ought to do? */
#include "program.h"

int main() {
  float *x;
  CHECK(cudaMallocHost(&x, 64 * sizeof *x));
#ifdef FIXED
  cudaFreeHost(x);
#else
  free(x); // <- at
  cudaFreeHost(x);
#endif
}
