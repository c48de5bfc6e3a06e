// expect: memcheck: lengths
// says: reads 32 bytes, immediately past the end of its array; index       element 63 of 63 (of 32 bytes)
/* Structures are passed by value, straight from memory, and there is one less of them than threads. */
#include "program.h"

struct body {
  float x, y, z, mass, vx, vy, vz, charge;
};

static __device__ __attribute__((noinline)) float squared(body b) {
  return b.x * b.x + b.y * b.y + b.z * b.z;
}

__global__ void lengths(const body *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n)
#else
  if (i <= n)
#endif
    out[i] = squared(in[i]); // <- at
}

int main() {
  const int n = 63;
  body h[n] = {}, *in;
  float *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, (n + 1) * sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  lengths<<<1, 64>>>(in, out, n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
