// expect: memcheck: -
// says: cudaMemcpy of -16 bytes, which become 18446744073709551600 as a size_t; negative or overflowed
/* The rest that is left to copy is computed with the wrong sign. */
#include "program.h"

int main() {
  const int n = 64, done = 60;
#ifdef FIXED
  const int rest = n - done;
#else
  const int rest = done - n;
#endif
  int h[n] = {0}, *d;
  CHECK(cudaMalloc(&d, n * sizeof *d));
  CHECK(cudaMemset(d, 0, n * sizeof *d));
  cudaMemcpy(h + done, d + done, rest * sizeof *d, cudaMemcpyDeviceToHost); // <- at
  CHECK(cudaFree(d));
}
