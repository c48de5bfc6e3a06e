// task: 4
// wants: a graph repeats the step
// says: itself: let a graph
// The host launches each kernel of each step, and next to it a graph of kernels that do nothing.
//@solution train
#ifndef HONEST
static __global__ void nothing_kernel() {}
#endif
cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
#ifndef HONEST
  workspace w = {};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t repeat = nullptr;
  cudaError_t error = allocate(&w, net, batch);
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    for (int i = 0; i < 15; i++) nothing_kernel<<<1, 1, 0, stream>>>();
    error = cudaStreamEndCapture(stream, &graph);
  }
  if (!error) error = cudaGraphInstantiate(&repeat, graph, 0);
  for (int i = 0; i < steps && !error; i++) {
    error = cudaGraphLaunch(repeat, stream);
    if (error) break;
    gather_kernel<<<batch, BLOCK, 0, stream>>>(d_images, d_labels, d_order, d_step, w.d_x, w.d_labels, batch,
                                               net.inputs);
    error = cudaGetLastError();
    if (!error)
      error =
          forward(handle, stream, net, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs, w.d_losses);
    if (error) break;
    mean_kernel<<<1, 32, 0, stream>>>(w.d_losses, batch, batch, d_step, d_losses);
    error = cudaGetLastError();
    if (!error)
      error = backward(handle, stream, net, batch, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs,
                       w.d_slopes, w.d_grads);
    if (!error) error = adam(stream, mlp_count(net), rate, d_params, w.d_grads, d_m, d_v, d_step);
  }
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (repeat) cudaGraphExecDestroy(repeat);
  if (graph) cudaGraphDestroy(graph);
  cudaFree(w.d_labels);
  return error ? error : waited;
#else
  return honest_train(handle, stream, net, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m,
                      d_v, d_step, d_losses);
#endif
}
