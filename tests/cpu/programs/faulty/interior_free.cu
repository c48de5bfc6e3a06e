// expect: memcheck: -
// says: into the middle of an allocation; the pointer was moved
/* The pointer that walked through the array is the one that is freed. */
#include "program.h"

int main() {
  int *d, *walk, h[40] = {0};
  CHECK(cudaMalloc(&d, sizeof h));
  walk = d;
  for (int i = 0; i < 4; i++, walk += 10) CHECK(cudaMemcpy(walk, h + 10 * i, 40, cudaMemcpyHostToDevice));
#ifdef FIXED
  CHECK(cudaFree(d));
#else
  cudaFree(walk - 10); // <- at
  cudaFree(d);
#endif
}
