// expect: initcheck: twice
// says: reads 4 bytes of device memory that was never written; of 100 (of 4 bytes); cudaMemcpy
/* n instead of n * sizeof(float): a quarter arrives. */
#include "program.h"

__global__ void twice(float *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] *= 2.0f; // <- at
}

int main() {
  const int n = 100;
  float h[n] = {0}, *d;
  CHECK(cudaMalloc(&d, sizeof h));
#ifdef FIXED
  CHECK(cudaMemcpy(d, h, n * sizeof(float), cudaMemcpyHostToDevice));
#else
  CHECK(cudaMemcpy(d, h, n, cudaMemcpyHostToDevice));
#endif
  twice<<<1, 128>>>(d, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
