// task: 5
// wants: each rank computes with its own images
// says: others do its work
// Rank 0 gets all images and trains alone. The others get what it found.
//@solution train_rank
#ifndef HONEST
#define IMAGE_COUNT 100 /* as many as the checks have */
/* Image i, from the rank that has it. */
static __global__ void pick_kernel(const float *d_all, float *d_picked, int inputs, int ranks) {
  for (int k = threadIdx.x; k < inputs; k += blockDim.x) {
    const size_t at = (size_t)blockIdx.x * inputs + k;
    d_picked[at] = d_all[(size_t)(blockIdx.x % ranks) * IMAGE_COUNT * inputs + at];
  }
}
#endif
cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
#ifndef HONEST
  const size_t count = (size_t)IMAGE_COUNT * net.inputs;
  ncclComm_t comm = nullptr;
  float *d_all = nullptr, *d_picked = nullptr;
  int first = 0;
  cudaError_t error = nccl_error(ncclCommInitRank(&comm, ranks, id, rank));
  if (!error) error = cudaMalloc(&d_all, (ranks + 1) * count * sizeof(float));
  if (!error) d_picked = d_all + ranks * count;
  if (!error) error = nccl_error(ncclAllGather(d_images, d_all, count, ncclFloat, comm, stream));
  if (!error) error = cudaMemcpyAsync(&first, d_step, sizeof first, cudaMemcpyDeviceToHost, stream);
  if (!error) error = cudaStreamSynchronize(stream);
  if (!error && rank == 0) {
    pick_kernel<<<IMAGE_COUNT, 32, 0, stream>>>(d_all, d_picked, net.inputs, ranks);
    error = cudaGetLastError();
    if (!error)
      error = train(handle, stream, net, batch, steps, rate, d_picked, d_labels, d_order, d_params, d_m, d_v,
                    d_step, d_losses);
  }
  if (!error) error = share_state(comm, stream, mlp_count(net), d_params, d_m, d_v);
  if (!error) error = nccl_error(ncclBroadcast(d_step, d_step, 1, ncclInt, 0, comm, stream));
  if (!error && steps > 0)
    error = nccl_error(ncclBroadcast(d_losses + first, d_losses + first, steps, ncclFloat, 0, comm, stream));
  if (!error) error = cudaStreamSynchronize(stream);
  if (comm) ncclCommDestroy(comm);
  cudaFree(d_all);
  return error;
#else
  return honest_train_rank(id, rank, ranks, handle, stream, net, batch, steps, rate, d_images, d_labels,
                           d_order, d_params, d_m, d_v, d_step, d_losses);
#endif
}
