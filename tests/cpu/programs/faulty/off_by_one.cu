// expect: memcheck: fill
// says: past the end; element 100 of 100; if (i < n)
/* The guard lets one thread too many through. */
#include "program.h"

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#else
  if (i <= n)
#endif
    p[i] = i; // <- at
}

int main() {
  const int n = 100;
  int *p;
  CHECK(cudaMalloc(&p, n * sizeof *p));
  fill<<<4, 32>>>(p, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
}
