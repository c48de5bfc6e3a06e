// expect: memcheck: -
// says: the host writes 4 bytes of device memory; cudaMemcpy
/* The host fills the array that only the device can reach. */
#include "program.h"

int main() {
  const int n = 64;
  float *h_x = (float *)malloc(n * sizeof(float)), *d_x;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
#ifdef FIXED
  for (int i = 0; i < n; i++) h_x[i] = 1.0f;
  CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
#else
  for (int i = 0; i < n; i++) d_x[i] = 1.0f; // <- at
#endif
  CHECK(cudaFree(d_x));
  free(h_x);
}
