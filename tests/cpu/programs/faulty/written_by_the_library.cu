// expect: racecheck: parts
// says: writes global memory; writes it
/* Each thread takes its number apart, and all whole parts go to the same place: modff writes them, not a line
 * of the program. */
#include "program.h"

__global__ void parts(const float *x, float *fraction, float *whole) {
  const int i = threadIdx.x;
#ifdef FIXED
  fraction[i] = modff(x[i], &whole[i]);
#else
  fraction[i] = modff(x[i], whole); // <- at
#endif
}

int main() {
  float x[64], *d;
  for (int i = 0; i < 64; i++) x[i] = i + 0.5f;
  CHECK(cudaMalloc(&d, 3 * sizeof x));
  CHECK(cudaMemcpy(d, x, sizeof x, cudaMemcpyHostToDevice));
  parts<<<1, 64>>>(d, d + 64, d + 128);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
