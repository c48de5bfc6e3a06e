// expect: memcheck: -
// says: cudaMemset is given the value; every byte to; not every element; with a kernel
/* cudaMemset fills bytes: neither floats become 1 nor ints 1000. */
#include "program.h"

__global__ void set(float *x, int *limit) {
  x[threadIdx.x] = 1;
  limit[threadIdx.x] = 1000;
}

int main() {
  float *x;
  int *limit;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMalloc(&limit, 64 * sizeof *limit));
#ifdef FIXED
  CHECK(cudaMemset(x, 0.0f, 64 * sizeof *x));
  CHECK(cudaMemset(limit, -1, 64 * sizeof *limit));
  CHECK(cudaMemset(limit, 0xff, 64 * sizeof *limit));
  set<<<1, 64>>>(x, limit);
#else
  CHECK(cudaMemset(x, 1.0f, 64 * sizeof *x));         // <- at
  CHECK(cudaMemset(limit, 1000, 64 * sizeof *limit)); // <- at
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
  CHECK(cudaFree(limit));
}
