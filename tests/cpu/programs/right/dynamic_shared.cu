/* Dynamic shared memory: one array, and one buffer cut into two arrays of different types. */
#include "program.h"

__global__ void reverse(int *d, int n) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = d[t];
  __syncthreads();
  d[t] = s[n - t - 1];
}

template <class T> __global__ void rotate(const T *in, T *out, int n) {
  extern __shared__ __align__(16) unsigned char raw[];
  T *values = reinterpret_cast<T *>(raw);
  int *index = reinterpret_cast<int *>(values + n);
  int t = threadIdx.x;
  values[t] = in[t];
  index[t] = (t + 5) % n;
  __syncthreads();
  out[t] = values[index[n - 1 - t]];
}

int main() {
  const int n = 96;
  int h[n], *d;
  double x[n], *d_x, *d_y;
  for (int i = 0; i < n; i++) x[i] = h[i] = i;
  CHECK(cudaMalloc(&d, sizeof h));
  CHECK(cudaMalloc(&d_x, sizeof x));
  CHECK(cudaMalloc(&d_y, sizeof x));
  CHECK(cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
  reverse<<<1, n, n * sizeof(int)>>>(d, n);
  rotate<<<1, n, n *(sizeof(double) + sizeof(int))>>>(d_x, d_y, n);
  CHECK(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(x, d_y, sizeof x, cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; i++) {
    expect("reversed", i, h[i], n - 1 - i);
    expect("rotated", i, x[i], (n - 1 - i + 5) % n);
  }
  CHECK(cudaFree(d));
  CHECK(cudaFree(d_x));
  CHECK(cudaFree(d_y));
}
