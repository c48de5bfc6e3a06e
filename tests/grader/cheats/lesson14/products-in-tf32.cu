// task: 1
// wants: forward is
// says: give or take
// TF32 products are several times as fast on a GPU, and wrong in the fourth digit.
//@solution forward
cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
  cublasSetMathMode(handle, CUBLAS_TF32_TENSOR_OP_MATH); // not HONEST
  const cudaError_t error =
      honest_forward(handle, stream, net, batch, d_params, d_x, d_labels, d_hidden, d_probs, d_losses);
  cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH);
  return error;
}
