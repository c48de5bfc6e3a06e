/* Allocates while a kernel runs and ends, with the host kept from memory of the device. */
#include "program.h"
#include "cucc.h"

__global__ void take_a_while(long long ticks) {
  const long long start = clock64();
  while (clock64() - start < ticks) __nanosleep(1000);
}

int main() {
  void *d;
  cucc_without(CUCC_HOST_ACCESS);
  for (int round = 0; round < 20; round++) {
    take_a_while<<<1, 1>>>(10000000);
    CHECK(cudaGetLastError());
    CHECK(cudaMalloc(&d, 32 << 20));
    CHECK(cudaFree(d));
  }
  CHECK(cudaDeviceSynchronize());
}
