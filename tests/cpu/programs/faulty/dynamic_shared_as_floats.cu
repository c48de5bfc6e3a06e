// expect: memcheck: reverse
// says: outside of shared memory; 256 bytes of dynamic shared memory, requested by the launch
/* Memory of one type is used as memory of another, and the launch counts elements of the smaller one. */
#include "program.h"

extern __shared__ float room[];

template <class T> __global__ void reverse(T *p, int n) {
  T *const tile = (T *)room;
  tile[threadIdx.x] = p[threadIdx.x]; // <- at
  __syncthreads();
  p[threadIdx.x] = tile[n - 1 - threadIdx.x]; // <- at
}

int main() {
  const int n = 64;
  double h[n] = {0}, *p;
  CHECK(cudaMalloc(&p, sizeof h));
  CHECK(cudaMemcpy(p, h, sizeof h, cudaMemcpyHostToDevice));
#ifdef FIXED
  reverse<<<1, n, n * sizeof(double)>>>(p, n);
#else
  reverse<<<1, n, n * sizeof(float)>>>(p, n);
#endif
  cudaDeviceSynchronize();
  cudaFree(p);
}
