// expect: memcheck: -
// says: source and destination overlap in 24 bytes; unlike memmove
/* The window moves on by four elements, in place. */
#include "program.h"

int main() {
  float *d, *d_other;
  CHECK(cudaMalloc(&d, 10 * sizeof *d));
  CHECK(cudaMalloc(&d_other, 10 * sizeof *d));
  CHECK(cudaMemset(d, 0, 10 * sizeof *d));
#ifdef FIXED
  CHECK(cudaMemcpy(d_other, d + 4, 6 * sizeof *d, cudaMemcpyDeviceToDevice));
  CHECK(cudaMemcpy(d, d + 6, 4 * sizeof *d, cudaMemcpyDeviceToDevice)); /* the parts only touch */
#else
  CHECK(cudaMemcpy(d, d + 1, 7 * sizeof *d, cudaMemcpyDeviceToDevice)); // <- at
#endif
  CHECK(cudaFree(d_other));
  CHECK(cudaFree(d));
}
