// expect: leakcheck: -
// says: 4000 bytes of device memory were never freed; cudaMalloc; missing cudaFree
/* One of two arrays is forgotten. */
#include "program.h"

int main() {
  float *a, *b;
  CHECK(cudaMalloc(&a, 4000)); // <- at
  CHECK(cudaMalloc(&b, 400));
#ifdef FIXED
  CHECK(cudaFree(a));
#endif
  CHECK(cudaFree(b));
}
