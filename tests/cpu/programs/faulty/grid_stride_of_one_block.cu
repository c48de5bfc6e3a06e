// expect: racecheck: scale
// says: global memory that a thread of another block; several threads write|several blocks use|several blocks
// use one element
/* The loop strides by the block, not by the grid: every block does all of the work. */
#include "program.h"

__global__ void scale(float *x, int n) {
#ifdef FIXED
  const int stride = gridDim.x * blockDim.x;
#else
  const int stride = blockDim.x;
#endif
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) x[i] *= 2.0f; // <- at
}

int main() {
  const int n = 1024;
  static float h[n];
  for (int i = 0; i < n; i++) h[i] = 1.0f;
  float *x;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  scale<<<4, 64>>>(x, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
