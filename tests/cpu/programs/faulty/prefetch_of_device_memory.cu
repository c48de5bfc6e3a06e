// expect: memcheck: -
// says: cudaMemPrefetchAsync of 400 bytes that are not entirely managed memory; cudaMallocManaged
/* Only managed memory moves between host and device. */
#include "program.h"

int main() {
  int *x, device;
  CHECK(cudaGetDevice(&device));
  const cudaMemLocation here = {cudaMemLocationTypeDevice, device};
#ifdef FIXED
  CHECK(cudaMallocManaged(&x, 100 * sizeof *x));
  cudaMemPrefetchAsync(x, 100 * sizeof *x, here, 0, 0);
#else
  CHECK(cudaMalloc(&x, 100 * sizeof *x));
  cudaMemPrefetchAsync(x, 100 * sizeof *x, here, 0, 0); // <- at
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
