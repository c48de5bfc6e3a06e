// expect: memcheck: add
// says: of memory of device 0, from a kernel on device 1; cudaDeviceEnablePeerAccess
/* The loop over devices allocates everything before the first cudaSetDevice. */
// with: CUCC_DEVICES=2
#include "program.h"

__global__ void add(int *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] += 1; // <- at
}

int main() {
  int devices, *x[2];
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2) return 0;
  for (int d = 0; d < 2; d++) {
#ifdef FIXED
    CHECK(cudaSetDevice(d));
#endif
    CHECK(cudaMalloc(&x[d], 64 * sizeof(int)));
    CHECK(cudaMemset(x[d], 0, 64 * sizeof(int)));
  }
  for (int d = 0; d < 2; d++) {
    CHECK(cudaSetDevice(d));
    add<<<1, 64>>>(x[d], 64);
    cudaDeviceSynchronize();
  }
  for (int d = 0; d < 2; d++) cudaFree(x[d]);
}
