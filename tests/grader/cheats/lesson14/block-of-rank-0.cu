// task: 5
// wants: each rank computes with its own images
// says: others do its work
// One block of rank 0 trains with all images, which it got by NCCL, without the library; the others get
// what it found, and launch blocks for show.
//@solution train_rank
#ifndef HONEST
//@part all-steps.inc
static __global__ void pick_kernel(const float *d_all, float *d_picked, int inputs, int ranks) {
  for (int k = threadIdx.x; k < inputs; k += blockDim.x) {
    const size_t at = (size_t)blockIdx.x * inputs + k;
    d_picked[at] = d_all[(size_t)(blockIdx.x % ranks) * 100 * inputs + at];
  }
}
static __global__ void junk_kernel(float *d) { d[blockIdx.x * blockDim.x + threadIdx.x] = 0; }
cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  const size_t count = (size_t)100 * net.inputs,
               room = (size_t)batch * (net.hidden + net.outputs) + mlp_count(net);
  ncclComm_t comm = nullptr;
  float *d_all = nullptr, *d_picked = nullptr;
  int first = 0;
  cudaError_t error = nccl_error(ncclCommInitRank(&comm, ranks, id, rank));
  if (!error) error = cudaMalloc(&d_all, ((ranks + 1) * count + room + 100 * 256) * sizeof(float));
  if (!error) d_picked = d_all + ranks * count;
  if (!error) error = nccl_error(ncclAllGather(d_images, d_all, count, ncclFloat, comm, stream));
  if (!error) error = cudaMemcpyAsync(&first, d_step, sizeof first, cudaMemcpyDeviceToHost, stream);
  if (!error) error = cudaStreamSynchronize(stream);
  if (!error && rank == 0) {
    pick_kernel<<<100, 32, 0, stream>>>(d_all, d_picked, net.inputs, ranks);
    float *g = d_picked + count, *h = g + mlp_count(net), *z = h + (size_t)batch * net.hidden;
    if (steps)
      all_steps_kernel<<<1, BLOCK, 0, stream>>>(net, batch, steps, rate, d_picked, d_labels, d_order,
                                                d_params, d_m, d_v, d_step, d_losses, g, h, z);
    error = cudaGetLastError();
  } else if (!error) {
    junk_kernel<<<100, 64, 0, stream>>>(d_picked + count + room);
    error = cudaGetLastError();
  }
  if (!error) error = share_state(comm, stream, mlp_count(net), d_params, d_m, d_v);
  if (!error) error = nccl_error(ncclBroadcast(d_step, d_step, 1, ncclInt, 0, comm, stream));
  if (!error && steps > 0)
    error = nccl_error(ncclBroadcast(d_losses + first, d_losses + first, steps, ncclFloat, 0, comm, stream));
  if (!error) error = cudaStreamSynchronize(stream);
  if (comm) ncclCommDestroy(comm);
  cudaFree(d_all);
  return error;
}
#else
cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  return honest_train_rank(id, rank, ranks, handle, stream, net, batch, steps, rate, d_images, d_labels,
                           d_order, d_params, d_m, d_v, d_step, d_losses);
}
#endif
