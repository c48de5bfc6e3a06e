// expect: racecheck: smooth
// says: global memory that; without synchronisation between them
/* Reads the neighbours in the array that the neighbours write. */
#include "program.h"

__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) out[i] = 0.5f * (in[i - 1] + in[i + 1]); // <- at
}

int main() {
  const int n = 256;
  float h[n] = {0}, *a, *b;
  CHECK(cudaMalloc(&a, sizeof h));
  CHECK(cudaMalloc(&b, sizeof h));
  CHECK(cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  smooth<<<2, 128>>>(a, b, n);
#else
  smooth<<<2, 128>>>(a, a, n);
#endif
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
}
