// expect: initcheck: accumulate
// says: reads 4 bytes of device memory that was never written; cudaMalloc at
// says: cudaMalloc does not clear memory
/* The sum starts with whatever was there. */
#include "program.h"

__global__ void accumulate(const float *in, float *sum, int n) {
  int i = threadIdx.x;
  if (i < n) sum[i] += in[i]; // <- at
}

int main() {
  float h[64] = {0}, *in, *sum;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&sum, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  CHECK(cudaMemset(sum, 0, sizeof h));
#endif
  accumulate<<<1, 64>>>(in, sum, 64);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(sum));
}
