// task: 1
// wants: gemm is one call of the library, by the given handle
// says: created a handle of cuBLAS
// A handle of its own is made in the first call, kept, and used instead of the caller's.
//@solution gemm
#ifndef HONEST
static cublasHandle_t own;
cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc) {
  if (!own) {
    const cudaError_t error = cuda_error(cublasCreate(&own));
    if (error) return error;
  }
  return honest_gemm(own, stream, m, n, k, d_a, lda, d_b, ldb, d_c, ldc);
}
#else
cudaError_t gemm(cublasHandle_t handle, cudaStream_t stream, int m, int n, int k, const float *d_a, int lda,
                 const float *d_b, int ldb, float *d_c, int ldc) {
  return honest_gemm(handle, stream, m, n, k, d_a, lda, d_b, ldb, d_c, ldc);
}
#endif
