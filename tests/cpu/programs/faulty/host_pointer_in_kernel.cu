// expect: memcheck: twice
// says: host pointer in a kernel; cudaMalloc
/* The launch gets the host's array. */
#include "program.h"

__global__ void twice(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= 2.0f; // <- at
}

int main() {
  const int n = 64;
  float *h_x = (float *)calloc(n, sizeof(float)), *d_x;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMemcpy(d_x, h_x, n * sizeof(float), cudaMemcpyHostToDevice));
#ifdef FIXED
  twice<<<1, n>>>(d_x, n);
#else
  twice<<<1, n>>>(h_x, n);
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d_x));
  free(h_x);
}
