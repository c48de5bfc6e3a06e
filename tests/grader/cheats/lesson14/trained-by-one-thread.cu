// task: 4
// wants: a step is at most 22 kernels and products
// says: too much to count
// A graph of one kernel with one thread, which makes a whole step: few kernels, no products, no parallel work.
//@solution train
#ifndef HONEST
static __global__ void alone_kernel(mlp net, int batch, float rate, const float *d_images,
                                    const int *d_labels, const int *d_order, float *p, float *m, float *v,
                                    int *d_step, float *d_losses, float *g, float *h, float *z) {
  const int step = *d_step, H = net.hidden, O = net.outputs;
  float total = 0;
  for (size_t i = 0; i < mlp_count(net); i++) g[i] = 0;
  for (int row = 0; row < batch; row++) {
    const int image = d_order[(size_t)step * batch + row];
    const float *x = d_images + (size_t)image * net.inputs;
    float largest = -INFINITY, sum = 0;
    for (int j = 0; j < H; j++) {
      float s = p[at_b1(net) + j];
      for (int k = 0; k < net.inputs; k++) s += x[k] * p[k * H + j];
      h[j] = fmaxf(0, s);
    }
    for (int j = 0; j < O; j++) {
      z[j] = p[at_b2(net) + j];
      for (int k = 0; k < H; k++) z[j] += h[k] * p[at_w2(net) + k * O + j];
      largest = fmaxf(largest, z[j]);
    }
    for (int j = 0; j < O; j++) sum += expf(z[j] - largest);
    total += logf(sum) - (z[d_labels[image]] - largest);
    for (int j = 0; j < O; j++) {
      z[j] = (expf(z[j] - largest) / sum - (d_labels[image] == j)) / batch;
      g[at_b2(net) + j] += z[j];
    }
    for (int k = 0; k < H; k++) {
      float slope = 0;
      for (int j = 0; j < O; j++) {
        slope += z[j] * p[at_w2(net) + k * O + j];
        g[at_w2(net) + k * O + j] += h[k] * z[j];
      }
      if (!(h[k] > 0)) continue;
      g[at_b1(net) + k] += slope;
      for (int i = 0; i < net.inputs; i++) g[i * H + k] += x[i] * slope;
    }
  }
  d_losses[step] = total / batch;
  const float t = *d_step = step + 1;
  for (size_t i = 0; i < mlp_count(net); i++) {
    m[i] = 0.9f * m[i] + 0.1f * g[i];
    v[i] = 0.999f * v[i] + 0.001f * g[i] * g[i];
    p[i] -= rate * (m[i] / (1 - powf(0.9f, t))) / (sqrtf(v[i] / (1 - powf(0.999f, t))) + 1e-8f);
  }
}
#endif
cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
#ifndef HONEST
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t repeat = nullptr;
  float *d_work = nullptr;
  cudaError_t error = cudaMalloc(&d_work, (mlp_count(net) + net.hidden + net.outputs) * sizeof(float));
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    alone_kernel<<<1, 1, 0, stream>>>(net, batch, rate, d_images, d_labels, d_order, d_params, d_m, d_v,
                                      d_step, d_losses, d_work, d_work + mlp_count(net),
                                      d_work + mlp_count(net) + net.hidden);
    error = cudaStreamEndCapture(stream, &graph);
  }
  if (!error) error = cudaGraphInstantiate(&repeat, graph, 0);
  for (int i = 0; i < steps && !error; i++) error = cudaGraphLaunch(repeat, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (repeat) cudaGraphExecDestroy(repeat);
  if (graph) cudaGraphDestroy(graph);
  cudaFree(d_work);
  return error ? error : waited;
#else
  return honest_train(handle, stream, net, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m,
                      d_v, d_step, d_losses);
#endif
}
