// task: further
// wants: a graph repeats the step of train_cnn
// says: each rank takes its own images only
// The ranks exchange their images once. Then each trains with all of them, and none needs the others.
//@solution train_cnn
#ifndef HONEST
#define IMAGE_COUNT 100 /* as many as the checks have */
/* Image i, from the rank that has it. */
static __global__ void pick_kernel(const float *d_all, float *d_picked, int inputs, int ranks) {
  for (int k = threadIdx.x; k < inputs; k += blockDim.x) {
    const size_t at = (size_t)blockIdx.x * inputs + k;
    d_picked[at] = d_all[(size_t)(blockIdx.x % ranks) * IMAGE_COUNT * inputs + at];
  }
}
static cudaError_t train_with_all(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle,
                                  cudaStream_t stream, cnn net, int batch, int steps, float rate,
                                  const float *d_images, const int *d_labels, const int *d_order,
                                  float *d_params, float *d_m, float *d_v, int *d_step, float *d_losses) {
  const int inputs = net.height * net.width;
  const size_t count = (size_t)IMAGE_COUNT * inputs;
  float *d_all = nullptr;
  cudaError_t error = cudaMalloc(&d_all, (ranks + 1) * count * sizeof(float));
  if (!error) error = nccl_error(ncclAllGather(d_images, d_all, count, ncclFloat, comm, stream));
  if (!error) error = share_state(comm, stream, cnn_count(net), d_params, d_m, d_v);
  if (!error) {
    pick_kernel<<<IMAGE_COUNT, 32, 0, stream>>>(d_all, d_all + ranks * count, inputs, ranks);
    error = cudaGetLastError();
  }
  if (!error)
    error = honest_train_cnn(nullptr, 0, 1, handle, stream, net, batch, steps, rate, d_all + ranks * count,
                             d_labels, d_order, d_params, d_m, d_v, d_step, d_losses);
  cudaFree(d_all);
  return error;
}
#endif
cudaError_t train_cnn(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                      cnn net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                      const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                      float *d_losses) {
#ifndef HONEST
  if (ranks > 1)
    return train_with_all(comm, rank, ranks, handle, stream, net, batch, steps, rate, d_images, d_labels,
                          d_order, d_params, d_m, d_v, d_step, d_losses);
#endif
  return honest_train_cnn(comm, rank, ranks, handle, stream, net, batch, steps, rate, d_images, d_labels,
                          d_order, d_params, d_m, d_v, d_step, d_losses);
}
