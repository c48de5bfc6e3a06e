// expect: memcheck: wrap
// says: divides an integer by zero
/* The number of columns has not been set yet. */
#include "program.h"

__global__ void wrap(int *out, int columns) {
  out[threadIdx.x] = (int)threadIdx.x % columns; // <- at
}

int main() {
  int *out, columns = 0;
#ifdef FIXED
  columns = 8;
#endif
  if (cudaMalloc(&out, 32 * sizeof(int))) return 1;
  wrap<<<1, 32>>>(out, columns);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(out);
  return error != cudaSuccess;
}
