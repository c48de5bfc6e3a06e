// with: CUCC_CHECK=none CUCC_DEVICES=2
/* After a fault: cudaDeviceReset, and another device. The documentation of cudaErrorIllegalAddress says that
 * the process must be started again. */
#include "gives.h"

__global__ void commit(int *p) { p[(size_t)1 << 40] = 1; }

int main() {
  int *p, count;
  CHECK(cudaGetDeviceCount(&count));
  CHECK(cudaMalloc(&p, 64));
  commit<<<1, 1>>>(p);
  gives("synchronise", cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  if (count > 1) {
    gives("choosing another device", cudaSetDevice(1), cudaErrorDevicesUnavailable);
    gives("memory of another device", cudaMalloc(&p, 64), cudaErrorDevicesUnavailable);
    cudaSetDevice(0);
  }
  gives("reset", cudaDeviceReset(), cudaSuccess);
  gives("memory after a reset", cudaMalloc(&p, 64), cudaErrorDevicesUnavailable);
  return finish();
}
