// expect: memcheck: -
// says: the direction contradicts the pointers (from device memory to host memory); the wrong kind
/* The line was copied from above, and the kind stayed. */
#include "program.h"

int main() {
  float h[10] = {0}, *d;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
#else
  cudaMemcpy(h, d, sizeof h, cudaMemcpyHostToDevice); // <- at
#endif
  CHECK(cudaFree(d));
}
