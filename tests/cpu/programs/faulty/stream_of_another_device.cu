// expect: memcheck: -
// says: its stream is of device; the current device is; cudaSetDevice
// with: CUCC_DEVICES=2
/* Streams are made device by device; the launches forget to choose the device again. */
#include "program.h"

__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }

int main() {
  int devices, *x[2];
  cudaStream_t streams[2];
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2) return 0;
  for (int i = 0; i < 2; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaStreamCreate(&streams[i]));
    CHECK(cudaMalloc(&x[i], 32 * sizeof(int)));
  }
  for (int i = 0; i < 2; i++) {
#ifdef FIXED
    CHECK(cudaSetDevice(i));
#endif
    fill<<<1, 32, 0, streams[i]>>>(x[i], i); // <- at
  }
  for (int i = 0; i < 2; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaStreamDestroy(streams[i]));
    CHECK(cudaFree(x[i]));
  }
}
