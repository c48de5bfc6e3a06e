// expect: memcheck: -
// says: the host reads; `total`; cudaMemcpyFromSymbol
/* The variable has the same name on both sides, but the host sees only its own shadow of it. */
#include "program.h"

__device__ int total = 0;

__global__ void count() { atomicAdd(&total, 1); }

int main() {
  int result = 0;
  count<<<1, 64>>>();
  CHECK(cudaDeviceSynchronize());
#ifdef FIXED
  CHECK(cudaMemcpyFromSymbol(&result, total, sizeof result));
#else
  result = total; // <- at
#endif
  if (result == 1) printf("%d\n", result);
}
