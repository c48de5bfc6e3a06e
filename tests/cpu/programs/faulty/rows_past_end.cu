// expect: memcheck: -
// says: cudaMemcpy2D; the destination has only 1920 bytes from that address on
/* An array of cudaMalloc has no pitch: its rows are as long as
   they are, not as cudaMallocPitch makes them. */
#include "program.h"

int main() {
  const int width = 60, height = 8;
  static float h[height][width];
  float *d;
  CHECK(cudaMalloc(&d, sizeof h));
#ifdef FIXED
  CHECK(cudaMemcpy2D(d, sizeof h[0], h, sizeof h[0], sizeof h[0], height, cudaMemcpyHostToDevice));
#else
  cudaMemcpy2D(d, 512, h, sizeof h[0], sizeof h[0], height, cudaMemcpyHostToDevice); // <- at
#endif
  CHECK(cudaFree(d));
}
