// expect: racecheck: shifted
// says: __ldg reads what another thread of the same kernel writes; read it plainly
/* Each thread takes its neighbour's value and, after the barrier, its place. */
#include "program.h"

__global__ void shifted(float *x) {
  const int i = threadIdx.x;
#ifdef FIXED
  const float next = x[(i + 1) % 64];
#else
  const float next = __ldg(x + (i + 1) % 64); // <- at
#endif
  __syncthreads();
  x[i] = next;
}

int main() {
  float h[64] = {0}, *x;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  shifted<<<1, 64>>>(x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
