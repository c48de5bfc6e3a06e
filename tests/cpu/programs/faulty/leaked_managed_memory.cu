// expect: leakcheck: -
// says: 400 bytes of managed memory were never freed; cudaMallocManaged
/* Managed memory looks like the host's, but it is not freed at the end of main. */
#include "program.h"

int main() {
  int *x;
  CHECK(cudaMallocManaged(&x, 100 * sizeof *x)); // <- at
  for (int i = 0; i < 100; i++) x[i] = i;
#ifdef FIXED
  CHECK(cudaFree(x));
#endif
}
