// expect: racecheck: ?
// says: the host; cudaDeviceSynchronize
/* The input is changed for the next round while the kernel of this one may still read it. */
#include "program.h"

__global__ void scale(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i]; // <- at
}

int main() {
  const int n = 128;
  float *in, *out;
  CHECK(cudaMallocManaged(&in, n * sizeof *in));
  CHECK(cudaMallocManaged(&out, n * sizeof *out));
  for (int round = 0; round < 3; round++) {
    for (int i = 0; i < n; i++) in[i] = (float)(round + i); // <- at
    scale<<<1, n>>>(in, out, n);
#ifdef FIXED
    CHECK(cudaDeviceSynchronize());
#endif
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
