// expect: memcheck: differences<double>
// says: reads 8 bytes outside of shared memory; `right`|`left`; element -1 of 32
/* The first element has no left neighbour. Before the tile lies another one, or the dynamic shared memory, so
 * the index -1 reads a number all the same. */
#include "program.h"

#define N 32

template <class T> __device__ T step(const T *tile, int i) {
#ifdef FIXED
  if (i == 0) return tile[0];
#endif
  return tile[i] - tile[i - 1]; // <- at
}

template <class T> __global__ void differences(const T *in, T *out) {
  extern __shared__ char raw[];
  T *sum = reinterpret_cast<T *>(raw);
  __shared__ T left[N], right[N];
  int i = threadIdx.x;
  left[i] = in[i];
  right[i] = in[N + i];
  __syncthreads();
  sum[i] = step(left, i) + step(right, i);
  __syncthreads();
  out[i] = sum[N - 1 - i];
}

int main() {
  double h[2 * N] = {0}, *in, *out;
  CHECK(cudaMalloc(&in, sizeof h));
  CHECK(cudaMalloc(&out, N * sizeof(double)));
  CHECK(cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice));
  differences<double><<<1, N, N * sizeof(double)>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}
