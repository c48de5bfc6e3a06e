/* Two findings whose advice depends on the access: `int` at an odd address, and blocks that read what others
 * write, for their index has no blockIdx. */
#include "program.h"

__global__ void odd(char *bytes) { *(int *)(bytes + 1) = 1; }

__global__ void smooth(float *x) {
  if (threadIdx.x == 0) x[blockIdx.x] = x[threadIdx.x + 1];
}

int main(int count, char **) {
  float *d_x;
  CHECK(cudaMalloc(&d_x, 64 * sizeof *d_x));
  CHECK(cudaMemset(d_x, 0, 64 * sizeof *d_x));
  if (count > 1)
    odd<<<1, 1>>>((char *)d_x);
  else
    smooth<<<4, 32>>>(d_x);
  (void)cudaDeviceSynchronize();
  cudaFree(d_x);
  return 0;
}
