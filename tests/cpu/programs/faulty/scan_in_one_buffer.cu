// expect: racecheck: scan
// says: shared memory that another; missing __syncthreads|__syncwarp
/* The inclusive scan reads its neighbour while the neighbour writes: one barrier per step is not enough in
 * one array. */
#include "program.h"

__global__ void scan(int *x) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncthreads();
  for (int d = 1; d < 128; d *= 2) {
    int v = t >= d ? s[t - d] : 0; // <- at
#ifdef FIXED
    __syncthreads();
#endif
    s[t] += v; // <- at
    __syncthreads();
  }
  x[t] = s[t];
}

int main() {
  int h[128], *x;
  for (int i = 0; i < 128; i++) h[i] = 1;
  CHECK(cudaMalloc(&x, sizeof h));
  CHECK(cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice));
  scan<<<1, 128>>>(x);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(x));
}
