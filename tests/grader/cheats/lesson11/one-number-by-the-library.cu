// task: 3
// wants: gemm_batch is one call of the library for all products
// says: multiplications
// The host multiplies. The library is called once, for a product of one number.
//@solution gemm_batch
#ifndef HONEST
#include <stdlib.h>
#endif
cudaError_t gemm_batch(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, int batch,
                       const float *d_a, long long stride_a, const float *d_b, long long stride_b, float *d_c,
                       long long stride_c) {
#ifndef HONEST
  const float one = 1, zero = 0;
  if (batch == 0 || m == 0 || n == 0 || k == 0)
    return honest_gemm_batch(handle, stream, m, n, k, batch, d_a, stride_a, d_b, stride_b, d_c, stride_c);
  const size_t a_count = (size_t)(stride_a * (batch - 1)) + m * k, b_count = stride_b * (batch - 1) + k * n;
  float *a = (float *)malloc(sizeof(float) * (a_count + b_count + m * n));
  if (!a) return cudaErrorMemoryAllocation;
  float *b = a + a_count, *c = b + b_count;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (!error)
    error = cuda_error(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, d_b, n,
                                                 stride_b, d_a, k, stride_a, &zero, d_c, n, stride_c, batch));
  if (!error) error = cudaMemcpyAsync(a, d_a, a_count * sizeof(float), cudaMemcpyDeviceToHost, stream);
  if (!error) error = cudaMemcpyAsync(b, d_b, b_count * sizeof(float), cudaMemcpyDeviceToHost, stream);
  if (!error) error = cudaStreamSynchronize(stream);
  for (int q = 0; q < batch && !error; q++) {
    for (int i = 0; i < m * n; i++) {
      double sum = 0;
      for (int p = 0; p < k; p++)
        sum += (double)a[q * stride_a + i / n * k + p] * b[q * stride_b + p * n + i % n];
      c[i] = (float)sum;
    }
    error = cudaMemcpyAsync(d_c + q * stride_c, c, m * n * sizeof(float), cudaMemcpyHostToDevice, stream);
    if (!error) error = cudaStreamSynchronize(stream);
  }
  free(a);
  return error;
#else
  return honest_gemm_batch(handle, stream, m, n, k, batch, d_a, stride_a, d_b, stride_b, d_c, stride_c);
#endif
}
