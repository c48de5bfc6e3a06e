// expect: memcheck: copy
// says: past the end; 2016 bytes of device memory
/* Whole structures are copied, and there is one less of them than threads. */
#include "program.h"

struct body {
  float x, y, z, mass, vx, vy, vz, charge;
};

__global__ void copy(const body *in, body *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#else
  if (i <= n)
#endif
    out[i] = in[i]; // <- at
}

int main() {
  const int n = 63;
  body h[n] = {}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  copy<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
