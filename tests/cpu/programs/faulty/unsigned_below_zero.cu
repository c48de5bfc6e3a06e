// expect: memcheck: differences
// says: past the end of the nearest array; an unsigned index that went below 0
/* Element 0 has no left neighbour, and as an unsigned number its index is the largest there is. */
#include "program.h"

__global__ void differences(const int *x, int *out, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i == 0) return;
#endif
  if (i < n) out[i] = x[i] - x[i - 1]; // <- at
}

int main() {
  int *x, *out;
  CHECK(cudaMalloc(&x, 64 * sizeof *x));
  CHECK(cudaMalloc(&out, 64 * sizeof *out));
  CHECK(cudaMemset(x, 0, 64 * sizeof *x));
  differences<<<1, 64>>>(x, out, 64);
  cudaDeviceSynchronize();
  cudaFree(x);
  cudaFree(out);
}
