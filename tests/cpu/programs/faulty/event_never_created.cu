// expect: memcheck: -
// says: cudaEventDestroy is given an event that was never created; a variable without a value
/* Only one of two events is created, and both are destroyed. */
#include "program.h"

__global__ void fill(int *x) { x[threadIdx.x] = 3; }

int main() {
  int *x;
  cudaEvent_t events[2];
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaEventCreate(&events[0]));
#ifdef FIXED
  CHECK(cudaEventCreate(&events[1]));
#endif
  fill<<<1, 32>>>(x);
  CHECK(cudaDeviceSynchronize());
  for (int e = 0; e < 2; e++) cudaEventDestroy(events[e]); // <- at
  CHECK(cudaFree(x));
}
