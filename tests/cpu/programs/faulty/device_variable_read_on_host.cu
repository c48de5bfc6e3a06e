// expect: memcheck: -
// says: the host reads the __device__ variable `largest`; a shadow
// says: cudaMemcpyFromSymbol
/* The result is read by its name: the host sees what the program began with. */
#include "program.h"

__device__ int largest;

__global__ void find_largest(const int *x, int n) {
  int i = threadIdx.x;
  if (i < n) atomicMax(&largest, x[i]);
}

int main() {
  int h[64], *d, result;
  for (int i = 0; i < 64; i++) h[i] = (i * 37) % 64;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  find_largest<<<1, 64>>>(d, 64);
  CHECK(cudaDeviceSynchronize());
#ifdef FIXED
  CHECK(cudaMemcpyFromSymbol(&result, largest, sizeof result));
  expect("largest", 0, result, 63);
#else
  result = largest; // <- at
  expect("the host's shadow", 0, result, 0);
#endif
  CHECK(cudaFree(d));
}
