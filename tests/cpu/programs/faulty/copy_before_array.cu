// expect: memcheck: -
// says: the destination is not device memory: it begins 4 bytes before an array; that is below 0
/* A difference of sizes that wraps. */
#include "program.h"

int main() {
  const size_t n = 256, m = 257;
  static float h[257];
  float *d;
  CHECK(cudaMalloc(&d, n * sizeof(float)));
#ifdef FIXED
  CHECK(cudaMemcpy(d, h + (m - n), n * sizeof(float), cudaMemcpyHostToDevice));
#else
  cudaMemcpy(d + (n - m), h, m * sizeof(float), cudaMemcpyHostToDevice); // <- at
#endif
  CHECK(cudaFree(d));
}
