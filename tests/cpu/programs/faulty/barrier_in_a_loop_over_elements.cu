// expect: synccheck: smooth
// says: skip this barrier; branch or loop that not all threads
/* Each block goes over the array in strides, with a barrier in each turn. The last turn is not for all. */
#include "program.h"

template <class T> __global__ void smooth(const T *in, T *out, int n) {
  __shared__ T s[32];
#ifdef FIXED
  for (int first = 0; first < n; first += 32) {
    int i = first + threadIdx.x;
    if (i < n) s[threadIdx.x] = in[i];
    __syncthreads();
    if (i < n) out[i] = s[threadIdx.x] + s[threadIdx.x & ~1];
    __syncthreads();
  }
#else
  for (int i = threadIdx.x; i < n; i += 32) {
    s[threadIdx.x] = in[i];
    __syncthreads(); // <- at
    out[i] = s[threadIdx.x] + s[threadIdx.x & ~1];
    __syncthreads(); // <- at
  }
#endif
}

int main() {
  float h[50] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, sizeof h));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  smooth<<<1, 32>>>(in, out, 50);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}
