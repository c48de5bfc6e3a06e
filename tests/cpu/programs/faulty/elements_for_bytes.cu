// expect: memcheck: iota
// says: past the end; 256 bytes of device memory; of 64 (of 4 bytes), the last is 63
/* cudaMalloc wants bytes and gets elements. */
#include "program.h"

__global__ void iota(int *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i; // <- at
}

int main() {
  const int n = 256;
  int *p;
#ifdef FIXED
  CHECK(cudaMalloc(&p, n * sizeof(int)));
#else
  CHECK(cudaMalloc(&p, n));
#endif
  iota<<<2, 128>>>(p, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(p));
}
