// expect: initcheck: blur
// says: of shared memory that was never written; `line`; not every thread fills
/* The tile has room for a neighbour on each side, but the right one is never loaded. */
#include "program.h"

#define BLOCK 64

__global__ void blur(const float *in, float *out, int n) {
  __shared__ float line[BLOCK + 2];
  int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x + 1;
  line[t] = in[i];
  if (threadIdx.x == 0) line[0] = i > 0 ? in[i - 1] : in[i];
#ifdef FIXED
  if (threadIdx.x == BLOCK - 1) line[t + 1] = i + 1 < n ? in[i + 1] : in[i];
#endif
  __syncthreads();
  if (i < n) out[i] = (line[t - 1] + line[t] + line[t + 1]) / 3.0f; // <- at
}

int main() {
  const int n = 4 * BLOCK;
  float h[n] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  blur<<<n / BLOCK, BLOCK>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
