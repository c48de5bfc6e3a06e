// expect: memcheck: fill
// says: past the end; 1000 bytes of device memory; element; of 250 (of 4 bytes); cudaMalloc(n) for n *
// sizeof
/* cudaMalloc takes bytes. */
#include "program.h"

__global__ void fill(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i; // <- at
}

int main() {
  const int n = 1000;
  int *p;
#ifdef FIXED
  CHECK(cudaMalloc(&p, n * sizeof *p));
#else
  CHECK(cudaMalloc(&p, n));
#endif
  fill<<<(n + 255) / 256, 256>>>(p, n);
  cudaDeviceSynchronize();
  cudaFree(p);
}
