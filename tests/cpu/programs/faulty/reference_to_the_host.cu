// expect: memcheck: scale
// says: reads 4 bytes of host memory; a host variable for a reference parameter, or
/* A reference refers to the host's variable, which the kernel cannot read; in managed memory it can. */
#include "program.h"

__global__ void scale(float *x, const float &factor) {
  x[threadIdx.x] *= factor; // <- at
}

int main() {
  float *x, *factors, h[32] = {0};
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMallocManaged(&factors, sizeof *factors));
  *factors = 3;
#ifdef FIXED
  scale<<<1, 32>>>(x, *factors);
#else
  const float factor = *factors;
  scale<<<1, 32>>>(x, factor);
#endif
  if (cudaDeviceSynchronize() != cudaSuccess) exit(1);
  CHECK(cudaFree(x));
  CHECK(cudaFree(factors));
}
