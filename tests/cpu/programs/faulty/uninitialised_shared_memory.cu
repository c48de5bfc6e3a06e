// expect: initcheck: sum
// says: of shared memory that was never written; not every thread fills
/* The last block's tile is filled only as far as there are elements, and summed to its end. */
#include "program.h"

__global__ void sum(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = blockIdx.x * 64 + threadIdx.x;
#ifdef FIXED
  s[threadIdx.x] = i < n ? in[i] : 0;
#else
  if (i < n) s[threadIdx.x] = in[i];
#endif
  __syncthreads();
  if (threadIdx.x == 0) {
    int total = 0;
    for (int k = 0; k < 64; k++) total += s[k]; // <- at
    out[blockIdx.x] = total;
  }
}

int main() {
  int h[100] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, 2 * sizeof *out));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  sum<<<2, 64>>>(in, out, 100);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
