// expect: memcheck: smooth
// says: reads 4 bytes, 4 bytes before the start; i - 1
/* The first element has no left neighbour. */
#include "program.h"

__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i > 0 && i < n - 1)
#else
  if (i < n - 1)
#endif
    out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3.0f; // <- at
}

int main() {
  const int n = 200;
  float h[n] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  smooth<<<2, 128>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
