// expect: memcheck: -
// says: the direction contradicts the pointers (from host memory to device memory); the wrong kind
/* The copy above was between two arrays of the device, and the kind stayed. A driver does it all the same. */
#include "program.h"

int main() {
  float *h, *d, *mapped;
  CHECK(cudaMalloc(&d, 10 * sizeof *d));
  CHECK(cudaMallocHost(&h, 10 * sizeof *h));
  for (int i = 0; i < 10; i++) h[i] = i;
#ifdef FIXED
  CHECK(cudaHostGetDevicePointer(&mapped, h, 0)); /* then it is meant */
#endif
  (void)mapped;
  CHECK(cudaMemcpy(d, h, 10 * sizeof *d, cudaMemcpyDeviceToDevice)); // <- at
  CHECK(cudaFree(d));
  CHECK(cudaFreeHost(h));
}
