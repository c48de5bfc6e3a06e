/* The slopes of the hidden numbers by a kernel of its own, since 10 classes are few: product, max(0, ...) and bias
 * gradient in one. Lambdas and templates in the place of repeated calls. */
#include "layers.h"

/* d_hidden = max(0, d_hidden + bias), `count` numbers in rows of `width`: one pass for both. */
static __global__ void bias_relu_kernel(float *d_hidden, const float *d_bias, int width, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_hidden[i] = fmaxf(0, d_hidden[i] + d_bias[i % width]);
}

static __device__ float warp_max(float x) {
  for (int step = 16; step > 0; step /= 2) x = fmaxf(x, __shfl_xor_sync(~0u, x, step));
  return x;
}
static __device__ float warp_sum(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}

/*
 * A warp for each row: products become probabilities, in place. exp(z - largest) is at most 1, and the factor
 * exp(-largest) cancels. The loss comes from the logits, since the logarithm of a probability that underflowed
 * would be infinite: -ln(exp(z - largest) / sum) = ln(sum) - (z - largest).
 */
static __global__ void softmax_kernel(float *d_probs, const float *d_bias, const int *d_labels,
                                      float *d_losses, int batch, int outputs) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= batch) return; /* all lanes of a warp, or none */
  float *z = d_probs + (size_t)row * outputs;
  float largest = -INFINITY, sum = 0;
  for (int j = lane; j < outputs; j += 32) {
    z[j] += d_bias[j];
    largest = fmaxf(largest, z[j]);
  }
  largest = warp_max(largest);
  for (int j = lane; j < outputs; j += 32) sum += expf(z[j] - largest);
  sum = warp_sum(sum);
  const int label = d_labels[row];
  for (int j = lane; j < outputs; j += 32) {
    if (j == label) d_losses[row] = logf(sum) - (z[j] - largest);
    z[j] = expf(z[j] - largest) / sum;
  }
}

cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
  if (batch == 0) return cudaSuccess;
  const size_t hidden_count = (size_t)batch * net.hidden;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (!error) error = product(handle, false, false, batch, net.hidden, net.inputs, d_x, d_params, d_hidden);
  if (error) return error;
  bias_relu_kernel<<<blocks_for(hidden_count), BLOCK, 0, stream>>>(d_hidden, d_params + at_b1(net),
                                                                   net.hidden, hidden_count);
  error = cudaGetLastError();
  if (!error)
    error = product(handle, false, false, batch, net.outputs, net.hidden, d_hidden, d_params + at_w2(net),
                    d_probs);
  if (error) return error;
  softmax_kernel<<<blocks_for((size_t)batch * 32), BLOCK, 0, stream>>>(
      d_probs, d_params + at_b2(net), d_labels, d_losses, batch, net.outputs);
  return cudaGetLastError();
}

#define COLUMNS 32 /* of a matrix in a block ... */
#define ROWS    8  /* ... by so many rows of threads */

/* The sum of the threads' numbers over the rows of a block, in the threads of the first row. */
static __device__ float sum_of_column(float mine) {
  __shared__ float part[ROWS][COLUMNS];
  part[threadIdx.y][threadIdx.x] = mine;
  __syncthreads();
  float sum = 0;
  if (threadIdx.y == 0)
    for (int row = 0; row < ROWS; row++) sum += part[row][threadIdx.x];
  return sum;
}

/* The slope of a logit is its probability, less 1 for the label's: d_slopes, and its columns' sums. */
static __global__ void output_slopes_kernel(const float *d_probs, const int *d_labels, float *d_slopes,
                                            float *d_sums, int batch, int outputs, float of) {
  const int j = blockIdx.x * COLUMNS + threadIdx.x;
  float sum = 0;
  if (j < outputs)
    for (int i = threadIdx.y; i < batch; i += ROWS) {
      const size_t at = (size_t)i * outputs + j;
      const float slope = (d_probs[at] - (d_labels[i] == j ? 1.0f : 0.0f)) / of;
      d_slopes[at] = slope;
      sum += slope;
    }
  sum = sum_of_column(sum);
  if (threadIdx.y == 0 && j < outputs) d_sums[j] = sum;
}

/* max(0, z) passes the slope on where z was positive: d_slopes in place, and its columns' sums. */
static __global__ void hidden_slopes_kernel(const float *d_hidden, const float *d_top, const float *d_w2,
                                            float *d_slopes, float *d_sums, int batch, int hidden,
                                            int outputs) {
  const int j = blockIdx.x * COLUMNS + threadIdx.x;
  float sum = 0;
  if (j < hidden)
    for (int i = threadIdx.y; i < batch; i += ROWS) {
      const size_t at = (size_t)i * hidden + j;
      float slope = 0;
      if (d_hidden[at] > 0)
        for (int k = 0; k < outputs; k++)
          slope += d_top[(size_t)i * outputs + k] * d_w2[(size_t)j * outputs + k];
      d_slopes[at] = slope;
      sum += slope;
    }
  sum = sum_of_column(sum);
  if (threadIdx.y == 0 && j < hidden) d_sums[j] = sum;
}

static unsigned blocks_of_columns(int width) { return (unsigned)((width + COLUMNS - 1) / COLUMNS); }

cudaError_t backward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int of,
                     const float *d_params, const float *d_x, const int *d_labels, const float *d_hidden,
                     const float *d_probs, float *d_work, float *d_grads) {
  float *d_hidden_slopes = d_work, *d_output_slopes = d_work + (size_t)batch * net.hidden;
  const dim3 block(COLUMNS, ROWS);
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (error) return error;
  output_slopes_kernel<<<blocks_of_columns(net.outputs), block, 0, stream>>>(
      d_probs, d_labels, d_output_slopes, d_grads + at_b2(net), batch, net.outputs, (float)of);
  error = cudaGetLastError();
  if (!error) /* W2: hidden^T slopes */
    error = product(handle, true, false, net.hidden, net.outputs, batch, d_hidden, d_output_slopes,
                    d_grads + at_w2(net));
  if (error) return error;
  hidden_slopes_kernel<<<blocks_of_columns(net.hidden), block, 0, stream>>>(
      d_hidden, d_output_slopes, d_params + at_w2(net), d_hidden_slopes, d_grads + at_b1(net), batch,
      net.hidden, net.outputs);
  error = cudaGetLastError();
  if (!error) /* W1: x^T slopes */
    error = product(handle, true, false, net.inputs, net.hidden, batch, d_x, d_hidden_slopes, d_grads);
  return error;
}

#define BETA1   0.9f
#define BETA2   0.999f
#define EPSILON 1e-8f

static __global__ void adam_kernel(float *d_params, const float *d_grads, float *d_m, float *d_v,
                                   const int *d_step, float rate, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const float t = *d_step + 1, g = d_grads[i];
  const float m = d_m[i] = BETA1 * d_m[i] + (1 - BETA1) * g;
  const float v = d_v[i] = BETA2 * d_v[i] + (1 - BETA2) * g * g;
  d_params[i] -= rate * (m / (1 - powf(BETA1, t))) / (sqrtf(v / (1 - powf(BETA2, t))) + EPSILON);
}

/* A kernel of its own: while adam_kernel runs, its blocks still read the old number. */
static __global__ void count_step_kernel(int *d_step) { ++*d_step; }

cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step) {
  if (count > 0)
    adam_kernel<<<blocks_for(count), BLOCK, 0, stream>>>(d_params, d_grads, d_m, d_v, d_step, rate, count);
  cudaError_t error = cudaGetLastError();
  if (error) return error;
  count_step_kernel<<<1, 1, 0, stream>>>(d_step);
  return cudaGetLastError();
}

/* What a step works with. */
struct workspace {
  int *d_labels;
  float *d_x, *d_hidden, *d_probs, *d_losses, *d_slopes, *d_grads;
};

/* One allocation for all of it; its beginning is d_labels. */
static cudaError_t allocate(workspace *w, mlp net, int batch) {
  const size_t rows = batch, x = rows * net.inputs, hidden = rows * net.hidden, probs = rows * net.outputs;
  const size_t floats = x + 2 * (hidden + probs) + rows + mlp_count(net);
  const cudaError_t error = cudaMalloc(&w->d_labels, rows * sizeof(int) + floats * sizeof(float));
  if (error) return error;
  w->d_x = (float *)(w->d_labels + rows);
  w->d_hidden = w->d_x + x;
  w->d_probs = w->d_hidden + hidden;
  w->d_losses = w->d_probs + probs;
  w->d_slopes = w->d_losses + rows;
  w->d_grads = w->d_slopes + hidden + probs;
  return cudaSuccess;
}

/* The images of this step, one after the other, and their labels. Block i copies image i. */
static __global__ void gather_kernel(const float *d_images, const int *d_labels, const int *d_order,
                                     const int *d_step, float *d_x, int *d_x_labels, int batch, int inputs) {
  const size_t image = d_order[(size_t)*d_step * batch + blockIdx.x];
  for (int k = threadIdx.x; k < inputs; k += blockDim.x)
    d_x[(size_t)blockIdx.x * inputs + k] = d_images[image * inputs + k];
  if (threadIdx.x == 0) d_x_labels[blockIdx.x] = d_labels[image];
}

/* One warp adds up the losses of the batch. */
static __global__ void mean_kernel(const float *d_losses, int batch, const int *d_step, float *d_means) {
  float sum = 0;
  for (int i = threadIdx.x; i < batch; i += 32) sum += d_losses[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) d_means[*d_step] = sum / batch;
}

cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
  workspace w = {};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t repeat = nullptr;
  cudaError_t error = allocate(&w, net, batch);
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    gather_kernel<<<batch, BLOCK, 0, stream>>>(d_images, d_labels, d_order, d_step, w.d_x, w.d_labels, batch,
                                               net.inputs);
    error = cudaGetLastError();
    if (!error)
      error =
          forward(handle, stream, net, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs, w.d_losses);
    if (!error) {
      mean_kernel<<<1, 32, 0, stream>>>(w.d_losses, batch, d_step, d_losses);
      error = cudaGetLastError();
    }
    if (!error)
      error = backward(handle, stream, net, batch, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs,
                       w.d_slopes, w.d_grads);
    if (!error) error = adam(stream, mlp_count(net), rate, d_params, w.d_grads, d_m, d_v, d_step);
    const cudaError_t ended = cudaStreamEndCapture(stream, &graph); /* after an error, too */
    if (!error) error = ended;
  }
  if (!error) error = cudaGraphInstantiate(&repeat, graph, 0);
  for (int i = 0; i < steps && !error; i++) error = cudaGraphLaunch(repeat, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (!error) error = waited;
  if (repeat) cudaGraphExecDestroy(repeat);
  if (graph) cudaGraphDestroy(graph);
  cudaFree(w.d_labels);
  return error;
}
/* This rank's part of the mean loss of the batch. */
static __global__ void part_of_mean_kernel(const float *d_losses, int count, int batch, float *d_part) {
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += 32) sum += d_losses[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  if (threadIdx.x == 0) *d_part = sum / batch;
}

static __global__ void keep_loss_kernel(const float *d_mean, const int *d_step, float *d_losses) {
  d_losses[*d_step] = *d_mean;
}

/* Rank 0's state for all. One group: the three arrays go together. */
static cudaError_t share_state(ncclComm_t comm, cudaStream_t stream, size_t count, float *d_params,
                               float *d_m, float *d_v) {
  ncclResult_t result = ncclGroupStart();
  for (float *d_array : {d_params, d_m, d_v})
    if (!result) result = ncclBroadcast(d_array, d_array, count, ncclFloat, 0, comm, stream);
  const ncclResult_t ended = ncclGroupEnd();
  return nccl_error(result ? result : ended);
}

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  const size_t count = mlp_count(net);
  const int first = (int)((long long)batch * rank / ranks),
            end = (int)((long long)batch * (rank + 1) / ranks);
  ncclComm_t comm = nullptr;
  workspace w = {};
  float *d_sum = nullptr; /* gradients, then the loss: one all-reduce takes both */
  cudaError_t error = nccl_error(ncclCommInitRank(&comm, ranks, id, rank));
  if (!error) error = allocate(&w, net, end - first);
  if (!error) error = cudaMalloc(&d_sum, (count + 1) * sizeof(float));
  if (!error) error = share_state(comm, stream, count, d_params, d_m, d_v);
  for (int i = 0; i < steps && !error; i++) {
    if (end > first)
      gather_kernel<<<end - first, BLOCK, 0, stream>>>(d_images, d_labels, d_order + first, d_step, w.d_x,
                                                       w.d_labels, batch, net.inputs);
    error = cudaGetLastError();
    if (!error)
      error = forward(handle, stream, net, end - first, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs,
                      w.d_losses);
    if (error) break;
    part_of_mean_kernel<<<1, 32, 0, stream>>>(w.d_losses, end - first, batch, d_sum + count);
    error = cudaGetLastError();
    if (!error)
      error = backward(handle, stream, net, end - first, batch, d_params, w.d_x, w.d_labels, w.d_hidden,
                       w.d_probs, w.d_slopes, d_sum);
    if (!error) error = nccl_error(ncclAllReduce(d_sum, d_sum, count + 1, ncclFloat, ncclSum, comm, stream));
    if (error) break;
    keep_loss_kernel<<<1, 1, 0, stream>>>(d_sum + count, d_step, d_losses);
    error = cudaGetLastError();
    if (!error) error = adam(stream, count, rate, d_params, d_sum, d_m, d_v, d_step);
  }
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (!error) error = waited;
  if (comm) ncclCommDestroy(comm);
  cudaFree(d_sum);
  cudaFree(w.d_labels);
  return error;
}
