// expect: memcheck: -
// says: cudaMemcpy of 256 bytes: the destination is a null pointer; never allocated
/* The host's array for the result was never allocated, and the error is not checked. */
#include "program.h"

int main() {
  int *h = NULL, *d;
#ifdef FIXED
  h = (int *)malloc(64 * sizeof *h);
#endif
  CHECK(cudaMalloc(&d, 64 * sizeof *d));
  CHECK(cudaMemset(d, 0, 64 * sizeof *d));
  cudaMemcpy(h, d, 64 * sizeof *d, cudaMemcpyDeviceToHost); // <- at
  CHECK(cudaFree(d));
  free(h);
}
