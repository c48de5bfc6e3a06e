// expect: racecheck: merge
// says: shared memory that another; dynamic shared memory
/* Two arrays share the dynamic memory, and the second begins in the middle of the first. */
#include "program.h"

__global__ void merge(const int *in, int *out, int n) {
  extern __shared__ int memory[];
  int *keys = memory;
#ifdef FIXED
  int *values = memory + n;
#else
  int *values = memory + n / 2;
#endif
  int t = threadIdx.x;
  keys[t] = in[t];         // <- at
  values[t] = 100 * in[t]; // <- at
  __syncthreads();
  out[t] = keys[n - 1 - t] + values[n - 1 - t];
}

int main() {
  const int n = 128;
  int h[n], *in, *out;
  for (int i = 0; i < n; i++) h[i] = i + 1;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  merge<<<1, n, 2 * n * sizeof(int)>>>(in, out, n);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
