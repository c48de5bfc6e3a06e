// expect: racecheck: ?
// says: managed memory|the host; cudaDeviceSynchronize
/* Managed memory needs no copy, so the synchronise that a copy brings along is forgotten. */
#include "program.h"

__global__ void square(int *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= x[i]; // <- at
}

int main() {
  const int n = 256;
  int *x, sum = 0;
  CHECK(cudaMallocManaged(&x, n * sizeof *x));
  for (int i = 0; i < n; i++) x[i] = i;
  square<<<2, 128>>>(x, n);
#ifdef FIXED
  CHECK(cudaDeviceSynchronize());
#endif
  for (int i = 0; i < n; i++) sum += x[i]; // <- at
  CHECK(cudaFree(x));
  return sum < 0;
}
