// expect: memcheck: -
// says: cudaStreamDestroy is given a stream that was never created; a variable without a value
/* Only one of two streams is created, and both are destroyed. */
#include "program.h"

__global__ void fill(int *x) { x[threadIdx.x] = 3; }

int main() {
  int *x;
  cudaStream_t streams[2];
  CHECK(cudaMalloc(&x, 32 * sizeof *x));
  CHECK(cudaStreamCreate(&streams[0]));
#ifdef FIXED
  CHECK(cudaStreamCreate(&streams[1]));
#endif
  fill<<<1, 32, 0, streams[0]>>>(x);
  CHECK(cudaDeviceSynchronize());
  for (int s = 0; s < 2; s++) cudaStreamDestroy(streams[s]); // <- at
  CHECK(cudaFree(x));
}
