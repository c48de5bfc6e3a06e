// task: 1
// wants: forward is two products
// says: capturing
// A function of the host, queued in the stream, computes everything from mapped copies; two products go nowhere.
//@solution forward
#ifndef HONEST
#include <math.h>
#include <stdlib.h>
#endif
cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
#ifndef HONEST
  const size_t count = mlp_count(net), xs = (size_t)batch * net.inputs, hs = (size_t)batch * net.hidden,
               ps = (size_t)batch * net.outputs;
  float *all = (float *)malloc((count + xs + hs + ps + 2 * (size_t)batch + 1) * sizeof(float));
  float *p = all, *x = p + count, *h = x + xs, *z = h + hs, *losses = z + ps;
  int *labels = (int *)(losses + batch);
  cudaMemcpyAsync(p, d_params, count * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(x, d_x, xs * sizeof(float), cudaMemcpyDeviceToHost, stream);
  cudaMemcpyAsync(labels, d_labels, batch * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaError_t error = cudaStreamSynchronize(stream);
  for (int i = 0; i < batch && !error; i++) {
    float *row = h + (size_t)i * net.hidden, *out = z + (size_t)i * net.outputs, largest = -INFINITY, sum = 0;
    for (int j = 0; j < net.hidden; j++) {
      row[j] = p[at_b1(net) + j];
      for (int k = 0; k < net.inputs; k++) row[j] += x[(size_t)i * net.inputs + k] * p[k * net.hidden + j];
      row[j] = fmaxf(0, row[j]);
    }
    for (int j = 0; j < net.outputs; j++) {
      out[j] = p[at_b2(net) + j];
      for (int k = 0; k < net.hidden; k++) out[j] += row[k] * p[at_w2(net) + k * net.outputs + j];
      largest = fmaxf(largest, out[j]);
    }
    for (int j = 0; j < net.outputs; j++) sum += expf(out[j] - largest);
    losses[i] = logf(sum) - (out[labels[i]] - largest);
    for (int j = 0; j < net.outputs; j++) out[j] = expf(out[j] - largest) / sum;
  }
  if (!error) error = cudaMemcpyAsync(d_hidden, h, hs * sizeof(float), cudaMemcpyHostToDevice, stream);
  if (!error) error = cudaMemcpyAsync(d_probs, z, ps * sizeof(float), cudaMemcpyHostToDevice, stream);
  if (!error)
    error = cudaMemcpyAsync(d_losses, losses, batch * sizeof(float), cudaMemcpyHostToDevice, stream);
  cudaStreamSynchronize(stream);
  free(all);
  return error;
#else
  return honest_forward(handle, stream, net, batch, d_params, d_x, d_labels, d_hidden, d_probs, d_losses);
#endif
}
