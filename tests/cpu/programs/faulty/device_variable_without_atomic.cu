// expect: racecheck: sum_up
// says: the __device__ variable `sum`; atomic
/* Every thread adds to one variable. */
#include "program.h"

__device__ int sum;

__global__ void sum_up(const int *x) {
#ifdef FIXED
  atomicAdd(&sum, x[threadIdx.x]);
#else
  sum += x[threadIdx.x]; // <- at
#endif
}

int main() {
  int h[64], *d;
  for (int i = 0; i < 64; i++) h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  sum_up<<<1, 64>>>(d);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(d));
}
