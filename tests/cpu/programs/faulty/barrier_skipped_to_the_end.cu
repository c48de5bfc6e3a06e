// expect: synccheck: reverse
// says: 24 of the 64 threads of block (0,0,0) skip this barrier; move it out of the branch
/* The barrier is in the branch of the threads with an element; the others have nothing more to do. */
#include "program.h"

__global__ void reverse(const int *in, int *out, int n) {
  __shared__ int s[64];
  int i = threadIdx.x;
#ifdef FIXED
  if (i < n) s[i] = in[i];
  __syncthreads();
  if (i < n) out[i] = s[n - 1 - i];
#else
  if (i < n) {
    s[i] = in[i];
    __syncthreads(); // <- at
    out[i] = s[n - 1 - i];
  }
#endif
}

int main() {
  int h[64] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  reverse<<<1, 64>>>(in, out, 40);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
