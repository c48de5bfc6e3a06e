// task: 1
// wants: a warp of matmul_naive reads and writes along the rows
// says: came to the host
// Multiplies on the host; a kernel reads a row, for the counters.
//@solution matmul_naive
#ifndef HONEST
#include <stdlib.h>
static __global__ void row_kernel(const float *d_a, float *d_c) { d_c[threadIdx.x] += 0 * d_a[threadIdx.x]; }
#endif
cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
#ifndef HONEST
  const size_t a_size = (size_t)m * k, b_size = (size_t)k * n, c_size = (size_t)m * n;
  float *a = (float *)malloc((a_size + b_size + c_size) * sizeof *a + 1), *b = a + a_size, *c = b + b_size;
  if (a_size) cudaMemcpy(a, d_a, a_size * sizeof *a, cudaMemcpyDeviceToHost);
  if (b_size) cudaMemcpy(b, d_b, b_size * sizeof *b, cudaMemcpyDeviceToHost);
  for (int i = 0; i < m; i++)
    for (int j = 0; j < n; j++) {
      float sum = 0;
      for (int p = 0; p < k; p++) sum += a[(size_t)i * k + p] * b[(size_t)p * n + j];
      c[(size_t)i * n + j] = sum;
    }
  if (c_size) cudaMemcpy(d_c, c, c_size * sizeof *c, cudaMemcpyHostToDevice);
  if (a_size >= 32 && c_size >= 32) row_kernel<<<1, 32>>>(d_a, d_c);
  free(a);
  return cudaGetLastError();
#else
  return honest_matmul_naive(d_a, d_b, d_c, m, n, k);
#endif
}
