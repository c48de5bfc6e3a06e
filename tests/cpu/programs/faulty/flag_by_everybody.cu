// expect: racecheck warning: find
// says: with the same value
/* All finders write the same value: it works, and it is still a race. */
#include "program.h"

__global__ void find(const int *in, int n, int wanted, int *found) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef FIXED
  if (i < n && in[i] == wanted) atomicExch(found, 1);
#else
  if (i < n && in[i] == wanted) *found = 1; // <- at
#endif
}

int main() {
  const int n = 256;
  int h[n] = {0}, *in, *found;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&found, sizeof *found));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(found, 0, sizeof *found));
  find<<<2, 128>>>(in, n, 0, found);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(found));
}
