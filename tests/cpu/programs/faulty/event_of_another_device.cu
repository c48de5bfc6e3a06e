// expect: memcheck: -
// says: an event of one device and a stream of another; cudaSetDevice
// with: CUCC_DEVICES=2
/* The events are all made on the first device. */
#include "program.h"

int main() {
  int devices;
  cudaStream_t streams[2];
  cudaEvent_t done[2];
  CHECK(cudaGetDeviceCount(&devices));
  if (devices < 2) return 0;
#ifndef FIXED
  for (cudaEvent_t &e : done) CHECK(cudaEventCreate(&e));
#endif
  for (int i = 0; i < 2; i++) {
    CHECK(cudaSetDevice(i));
    CHECK(cudaStreamCreate(&streams[i]));
#ifdef FIXED
    CHECK(cudaEventCreate(&done[i]));
#endif
    cudaEventRecord(done[i], streams[i]); // <- at
  }
  for (int i = 0; i < 2; i++) {
    CHECK(cudaEventSynchronize(done[i]));
    CHECK(cudaEventDestroy(done[i]));
    CHECK(cudaStreamDestroy(streams[i]));
  }
}
