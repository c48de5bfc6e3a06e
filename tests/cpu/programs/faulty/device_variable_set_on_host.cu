// expect: memcheck: -
// says: the host writes the __device__ variable `total`; a shadow
// says: does not reach the device; cudaMemcpyToSymbol
/* The counter is set to zero on the host, where an assignment reaches the host's shadow only. */
#include "program.h"

__device__ int total;

__global__ void count_even(const int *x, int n) {
  int i = threadIdx.x;
  if (i < n && x[i] % 2 == 0) atomicAdd(&total, 1);
}

int main() {
  int h[64], *d, result;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  const int zero = 0;
  CHECK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
#else
  total = 0; // <- at
#endif
  count_even<<<1, 64>>>(d, 64);
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
  CHECK(cudaFree(d));
  return result != 32;
}
