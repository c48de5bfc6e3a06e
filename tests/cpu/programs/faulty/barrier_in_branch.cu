// expect: synccheck: reverse
// says: __syncthreads in a branch or loop that not all threads
/* Only the threads with an element reach the first barrier; the others wait at the second. */
#include "program.h"

__global__ void reverse(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
#ifdef FIXED
  if (i < n) s[i] = in[i];
  __syncthreads();
#else
  if (i < n) {
    s[i] = in[i];
    __syncthreads(); // <- at
  }
#endif
  if (i < n) out[i] = s[n - 1 - i];
  __syncthreads(); // <- at
}

int main() {
  int h[64] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(in, out, 40);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
