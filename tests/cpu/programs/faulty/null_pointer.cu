// expect: memcheck: fill
// says: through a null pointer; check what cudaMalloc returns
/* An allocation that fails and is not checked. */
#include "program.h"

__global__ void fill(int *p) { p[threadIdx.x] = 1; } // <- at

int main() {
  int *p = NULL;
#ifdef FIXED
  CHECK(cudaMalloc(&p, 32 * sizeof *p));
#else
  cudaMalloc(&p, (size_t)32 << 50);
#endif
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  cudaFree(p);
}
