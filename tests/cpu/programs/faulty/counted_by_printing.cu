// expect: racecheck: lengths
// says: writes global memory; writes it
/* Each thread keeps how long its number is in print, and all write to the same place: %n does, in the C library. */
#include "program.h"

__global__ void lengths(const int *x, int *length) {
  const int i = threadIdx.x;
  char text[16];
#ifdef FIXED
  snprintf(text, sizeof text, "%d%n", x[i], &length[i]);
#else
  snprintf(text, sizeof text, "%d%n", x[i], length); // <- at
#endif
}

int main() {
  int x[64], *d;
  for (int i = 0; i < 64; i++) x[i] = i;
  CHECK(cudaMalloc(&d, 2 * sizeof x));
  CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
  lengths<<<1, 64>>>(d, d + 64);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
