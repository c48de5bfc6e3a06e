// expect: leakcheck: -
// says: 800 bytes of pinned host memory were never freed; cudaFreeHost
/* free() in spirit only: the pinned buffer stays. */
#include "program.h"

int main() {
  float *h;
  CHECK(cudaMallocHost(&h, 800)); // <- at
#ifdef FIXED
  CHECK(cudaFreeHost(h));
#endif
}
