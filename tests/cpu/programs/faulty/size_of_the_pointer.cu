// expect: memcheck: -
// says: cudaMemcpy of 400 bytes: the destination has only 8 bytes; a size in elements where bytes are meant
/* sizeof a pointer, not of what it points to. */
#include "program.h"

int main() {
  float h[100] = {0}, *d;
#ifdef FIXED
  CHECK(cudaMalloc(&d, sizeof h));
#else
  CHECK(cudaMalloc(&d, sizeof d));
#endif
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice); // <- at
  cudaFree(d);
}
