// task: 4
// wants: a graph repeats the step
// says: functions for the host
// The graph holds the step, and a function of the host is queued before it, where it could do anything.
//@solution train
#ifndef HONEST
static void nothing(void *) {}
#endif
cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
  cudaError_t error = cudaSuccess;
#ifndef HONEST
  error = cudaLaunchHostFunc(stream, nothing, nullptr);
#endif
  if (!error)
    error = honest_train(handle, stream, net, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m,
                         d_v, d_step, d_losses);
  return error;
}
