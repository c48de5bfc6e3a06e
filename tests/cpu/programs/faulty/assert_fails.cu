// expect: memcheck: fill
// says: fails the assertion `i < capacity`; of block (0,0,0); error 710
/* The kernel guards its table with an assertion, and the host passes a larger count than it made room for. */
#include "program.h"
#include <assert.h>

__global__ void fill(int *table, int n, int capacity) {
  const int i = threadIdx.x;
  if (i >= n) return;
  assert(i < capacity); // <- at
  table[i] = 1;
}

int main() {
  const int capacity = 32;
#ifdef FIXED
  const int n = 32;
#else
  const int n = 33;
#endif
  int *table;
  CHECK(cudaMalloc(&table, capacity * sizeof *table));
  fill<<<1, 64>>>(table, n, capacity);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != (n <= capacity ? cudaSuccess : cudaErrorAssert)) printf("%s\n", cudaGetErrorName(error));
  cudaFree(table);
}
