// expect: initcheck: add_one
// says: reads 4 bytes of device memory that was never written; of 100 (of 4 bytes)
// says: cudaMemset before the launch
/* cudaMemset counts bytes: only a quarter becomes zero. */
#include "program.h"

__global__ void add_one(int *x, int n) {
  int i = threadIdx.x;
  if (i < n) x[i] += 1; // <- at
}

int main() {
  const int n = 100;
  int *x;
  CHECK(cudaMalloc(&x, n * sizeof *x));
#ifdef FIXED
  CHECK(cudaMemset(x, 0, n * sizeof *x));
#else
  CHECK(cudaMemset(x, 0, n));
#endif
  add_one<<<1, 128>>>(x, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
