// task: 4
// wants: a graph repeats the step
// says: made, by kernels that no graph launched
// One block makes all steps in one launch; next to it a graph of a kernel repeats itself that touches so much memory that
// the block's part is small.
//@solution train
#ifndef HONEST
/* Reads a lot, and keeps nothing of it. */
static __global__ void decoy_kernel(const float *d_params, size_t count, float *d_losses) {
  float sum = 0;
  for (int i = 0; i < 1400; i++) sum += d_params[(i + threadIdx.x) % count];
  if (isnan(sum)) *d_losses = sum;
}

//@part all-steps.inc
#endif
cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
#ifndef HONEST
  workspace w = {};
  cudaGraphExec_t repeat = nullptr;
  cudaError_t error = allocate(&w, net, batch);
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    decoy_kernel<<<4, 256, 0, stream>>>(d_params, mlp_count(net), d_losses);
    error = end_capture(stream, cudaGetLastError(), &repeat);
  }
  if (!error) {
    all_steps_kernel<<<1, BLOCK, 0, stream>>>(net, batch, steps, rate, d_images, d_labels, d_order, d_params,
                                              d_m, d_v, d_step, d_losses, w.d_grads, w.d_hidden, w.d_probs);
    error = cudaGetLastError();
  }
  error = repeat_step(stream, steps, repeat, error);
  cudaFree(w.d_labels);
  return error;
#else
  return honest_train(handle, stream, net, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m,
                      d_v, d_step, d_losses);
#endif
}
