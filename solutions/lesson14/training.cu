/*
 * lesson14, training: a network of two layers learns, without a framework.
 *
 * A batch goes forward through the layers, and the slope of the loss goes backward: each step multiplies by
 * the same matrices, turned over. Adam moves the parameters, and a graph repeats all of it.
 *
 * training.h says what each function must do. d_ is memory of the device. Matrices are by rows.
 */
#include "layers.h"
#include "training.h"

// #region task-1
//: /* TODO task 1: two kernels. One adds the bias to each row and takes max(0, ...). The other turns a row of
//:  * logits into probabilities and a loss. How large may a logit be before exp overflows? */
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
// #endregion task-1

cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
  // #region task-1
  //: /* TODO task 1: put `stream` into the handle; then product, kernel, product, kernel. */
  //: return cudaSuccess;
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
  // #endregion task-1
}

// #region task-2
//: /* TODO task 2: two kernels. One gives the slope of the loss for each logit, the other that for each hidden
//:  * number, if its input was positive. Each also adds up its columns: that is a bias's gradient. */
/* Few columns for a block, so that there are many blocks: 8 floats of a row are the 32 bytes that memory gives. */
#define COLUMNS 8   /* of a matrix that a block has */
#define ROWS    128 /* rows of threads in a block */

/* The sum of the threads' numbers over the rows of a block, in the threads of the first row: lesson06's tree. */
static __device__ float sum_of_column(float mine) {
  __shared__ float part[ROWS][COLUMNS];
  part[threadIdx.y][threadIdx.x] = mine;
  for (int half = ROWS / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.y < half) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + half][threadIdx.x];
  }
  return threadIdx.y == 0 ? part[0][threadIdx.x] : 0;
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
static __global__ void hidden_slopes_kernel(const float *d_hidden, float *d_slopes, float *d_sums, int batch,
                                            int hidden) {
  const int j = blockIdx.x * COLUMNS + threadIdx.x;
  float sum = 0;
  if (j < hidden)
    for (int i = threadIdx.y; i < batch; i += ROWS) {
      const size_t at = (size_t)i * hidden + j;
      const float slope = d_hidden[at] > 0 ? d_slopes[at] : 0;
      d_slopes[at] = slope;
      sum += slope;
    }
  sum = sum_of_column(sum);
  if (threadIdx.y == 0 && j < hidden) d_sums[j] = sum;
}

static unsigned blocks_of_columns(int width) { return (unsigned)((width + COLUMNS - 1) / COLUMNS); }
// #endregion task-2

cudaError_t backward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int of,
                     const float *d_params, const float *d_x, const int *d_labels, const float *d_hidden,
                     const float *d_probs, float *d_work, float *d_grads) {
  // #region task-2
  //: /* TODO task 2: from the loss back to the first layer. Which matrices are turned over? `product` can. */
  //: return cudaSuccess;
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
  if (!error) /* the hidden numbers: slopes W2^T */
    error = product(handle, false, true, batch, net.hidden, net.outputs, d_output_slopes,
                    d_params + at_w2(net), d_hidden_slopes);
  if (error) return error;
  hidden_slopes_kernel<<<blocks_of_columns(net.hidden), block, 0, stream>>>(
      d_hidden, d_hidden_slopes, d_grads + at_b1(net), batch, net.hidden);
  error = cudaGetLastError();
  if (!error) /* W1: x^T slopes */
    error = product(handle, true, false, net.inputs, net.hidden, batch, d_x, d_hidden_slopes, d_grads);
  return error;
  // #endregion task-2
}

// #region task-3
//: /* TODO task 3: a kernel with a thread for each parameter. When may *d_step change? */
#define BETA1   0.9f
#define BETA2   0.999f
#define EPSILON 1e-8f

static __global__ void adam_kernel(float *d_params, const float *d_grads, float *d_m, float *d_v,
                                   const int *d_step, float rate, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (count <= i) return;
  const float t = *d_step + 1, g = d_grads[i];
  const float m = d_m[i] = BETA1 * d_m[i] + (1 - BETA1) * g;
  const float v = d_v[i] = BETA2 * d_v[i] + (1 - BETA2) * g * g;
  d_params[i] -= rate * (m / (1 - powf(BETA1, t))) / (sqrtf(v / (1 - powf(BETA2, t))) + EPSILON);
}

/* A kernel of its own: while adam_kernel runs, its blocks still read the old number. */
static __global__ void count_step_kernel(int *d_step) { ++*d_step; }
// #endregion task-3

cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step) {
  // #region task-3
  //: /* TODO task 3: launch it, and count the step. */
  //: return cudaSuccess;
  if (count > 0)
    adam_kernel<<<blocks_for(count), BLOCK, 0, stream>>>(d_params, d_grads, d_m, d_v, d_step, rate, count);
  cudaError_t error = cudaGetLastError();
  if (error) return error;
  count_step_kernel<<<1, 1, 0, stream>>>(d_step);
  return cudaGetLastError();
  // #endregion task-3
}

// #region task-4
//: /* TODO task 4: a graph repeats the same calls with the same arguments. So what changes from step to step
//:  * must be in memory of the device: which images, and where the loss goes. Two kernels read *d_step. */
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

/* One warp adds up `count` losses, which are all or a part of `of`; d_step: where the mean goes, null: to 0. */
static __global__ void mean_kernel(const float *d_losses, int count, int of, const int *d_step,
                                   float *d_means) {
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += 32) sum += d_losses[i];
  sum = warp_sum(sum);
  if (threadIdx.x == 0) d_means[d_step ? *d_step : 0] = sum / of;
}

/* Ends the capture, after an error too, and makes of it what repeats the step. */
static cudaError_t end_capture(cudaStream_t stream, cudaError_t error, cudaGraphExec_t *repeat) {
  cudaGraph_t graph = nullptr;
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (!error) error = ended;
  if (!error) error = cudaGraphInstantiate(repeat, graph, 0);
  if (graph) cudaGraphDestroy(graph);
  return error;
}

/* Repeats it, unless there was an error; waits, and destroys it. */
static cudaError_t repeat_step(cudaStream_t stream, int steps, cudaGraphExec_t repeat, cudaError_t error) {
  for (int i = 0; i < steps && !error; i++) error = cudaGraphLaunch(repeat, stream);
  const cudaError_t waited = cudaStreamSynchronize(stream);
  if (!error) error = waited;
  if (repeat) cudaGraphExecDestroy(repeat);
  return error;
}
// #endregion task-4

cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
  // #region task-4
  //: /* TODO task 4: allocate, capture one step, launch its graph `steps` times, wait, release. */
  //: return cudaSuccess;
  workspace w = {};
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
      mean_kernel<<<1, 32, 0, stream>>>(w.d_losses, batch, batch, d_step, d_losses);
      error = cudaGetLastError();
    }
    if (!error)
      error = backward(handle, stream, net, batch, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs,
                       w.d_slopes, w.d_grads);
    if (!error) error = adam(stream, mlp_count(net), rate, d_params, w.d_grads, d_m, d_v, d_step);
    error = end_capture(stream, error, &repeat);
  }
  error = repeat_step(stream, steps, repeat, error);
  cudaFree(w.d_labels);
  return error;
  // #endregion task-4
}

// #region task-5
//: /* TODO task 5: a kernel that puts the sum of the losses over all ranks to its place. One all-reduce can carry
//:  * gradients and loss. */
/* The loss of this step, to its place. */
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

/* Where a rank's images begin in each batch; where they end is where those of the next rank begin. */
static int first_image(int batch, int rank, int ranks) { return (int)((long long)batch * rank / ranks); }
// #endregion task-5

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  // #region task-5
  //: /* TODO task 5: as train, for a part of each batch. What must be the same on all ranks before the first
  //:  * step, and what is added up in each? */
  //: return cudaSuccess;
  const size_t count = mlp_count(net);
  const int first = first_image(batch, rank, ranks), own = first_image(batch, rank + 1, ranks) - first;
  ncclComm_t comm = nullptr;
  workspace w = {};
  float *d_sum = nullptr; /* gradients, then the loss: one all-reduce takes both */
  cudaGraphExec_t repeat = nullptr;
  cudaError_t error = nccl_error(ncclCommInitRank(&comm, ranks, id, rank));
  if (!error) error = allocate(&w, net, own);
  if (!error) error = cudaMalloc(&d_sum, (count + 1) * sizeof(float));
  if (!error) error = share_state(comm, stream, count, d_params, d_m, d_v);
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    if (own > 0)
      gather_kernel<<<own, BLOCK, 0, stream>>>(d_images, d_labels, d_order + first, d_step, w.d_x, w.d_labels,
                                               batch, net.inputs);
    error = cudaGetLastError();
    if (!error)
      error =
          forward(handle, stream, net, own, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs, w.d_losses);
    if (!error) {
      mean_kernel<<<1, 32, 0, stream>>>(w.d_losses, own, batch, nullptr, d_sum + count);
      error = cudaGetLastError();
    }
    if (!error)
      error = backward(handle, stream, net, own, batch, d_params, w.d_x, w.d_labels, w.d_hidden, w.d_probs,
                       w.d_slopes, d_sum);
    if (!error) error = nccl_error(ncclAllReduce(d_sum, d_sum, count + 1, ncclFloat, ncclSum, comm, stream));
    if (!error) {
      keep_loss_kernel<<<1, 1, 0, stream>>>(d_sum + count, d_step, d_losses);
      error = cudaGetLastError();
    }
    if (!error) error = adam(stream, count, rate, d_params, d_sum, d_m, d_v, d_step);
    error = end_capture(stream, error, &repeat);
  }
  error = repeat_step(stream, steps, repeat, error);
  if (comm) ncclCommDestroy(comm); /* after the graph that its calls are in */
  cudaFree(d_sum);
  cudaFree(w.d_labels);
  return error;
  // #endregion task-5
}

// #region task-further
//: /* TODO further: what must lie in d_columns so that a convolution is one product? Which thread adds up the
//:  * slopes of one number of d_x? */
/*
 * Row by row, the 3 x 3 neighbours of each place of each image, all their channels; 0 where a neighbour is outside.
 * d_columns has a row of 9 * from numbers for each place, so y = columns * weights. Block (image, part).
 */
static __global__ void neighbours_kernel(conv c, const float *d_x, float *d_columns) {
  const unsigned i = blockIdx.y * blockDim.x + threadIdx.x, numbers = c.height * c.width * 9 * c.from;
  if (i >= numbers) return;
  const int channel = i % c.from, tap = i / c.from % 9, place = i / c.from / 9;
  const int row = place / c.width + tap / 3 - 1, column = place % c.width + tap % 3 - 1;
  const bool inside = row >= 0 && row < c.height && column >= 0 && column < c.width;
  const float *x = d_x + (size_t)blockIdx.x * c.height * c.width * c.from;
  d_columns[(size_t)blockIdx.x * numbers + i] = inside ? x[(row * c.width + column) * c.from + channel] : 0;
}

/* The way back: a number of x was in up to nine rows, each time as another neighbour. Its slope is the sum. */
static __global__ void from_neighbours_kernel(conv c, const float *d_columns, float *d_x) {
  const unsigned i = blockIdx.y * blockDim.x + threadIdx.x, numbers = c.height * c.width * c.from;
  if (i >= numbers) return;
  const int channel = i % c.from, place = i / c.from;
  const float *columns = d_columns + (size_t)blockIdx.x * numbers * 9;
  float sum = 0;
  for (int tap = 0; tap < 9; tap++) {
    const int row = place / c.width - tap / 3 + 1, column = place % c.width - tap % 3 + 1;
    if (row >= 0 && row < c.height && column >= 0 && column < c.width)
      sum += columns[((row * c.width + column) * 9 + tap) * c.from + channel];
  }
  d_x[(size_t)blockIdx.x * numbers + i] = sum;
}
// #endregion task-further

cudaError_t conv_forward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                         const float *d_weights, const float *d_x, float *d_columns, float *d_y) {
  // #region task-further
  //: /* TODO further: a kernel, and a product. */
  //: return cudaSuccess;
  const int rows = (int)conv_places(c, batch), width = 9 * c.from;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (error) return error;
  neighbours_kernel<<<blocks_of_images(c, 9 * c.from, batch), BLOCK, 0, stream>>>(c, d_x, d_columns);
  error = cudaGetLastError();
  return error ? error : product(handle, false, false, rows, c.to, width, d_columns, d_weights, d_y);
  // #endregion task-further
}

cudaError_t conv_backward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                          const float *d_weights, const float *, const float *d_y_slopes, float *d_columns,
                          float *d_weight_slopes, float *d_x_slopes) {
  // #region task-further
  //: /* TODO further: the products of task 2, with columns in the place of x; and a kernel from columns to x. */
  //: return cudaSuccess;
  const int rows = (int)conv_places(c, batch), width = 9 * c.from;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (!error) error = product(handle, true, false, width, c.to, rows, d_columns, d_y_slopes, d_weight_slopes);
  if (error || !d_x_slopes) return error;
  error = product(handle, false, true, rows, width, c.to, d_y_slopes, d_weights, d_columns);
  if (error) return error;
  from_neighbours_kernel<<<blocks_of_images(c, c.from, batch), BLOCK, 0, stream>>>(c, d_columns, d_x_slopes);
  return cudaGetLastError();
  // #endregion task-further
}

// #region task-further
//: /* TODO further: a layer forward, and back. pool_kernel and unpool_kernel of layers.h are given. */
static cudaError_t layer_forward(cublasHandle_t handle, cudaStream_t stream, conv_layer l, int batch,
                                 const float *d_params, const float *d_x) {
  cudaError_t error = conv_forward(handle, stream, l.c, batch, d_params, d_x, l.d_columns, l.d_y);
  if (error) return error;
  pool_kernel<<<blocks_of_images(l.c, l.c.to, batch), BLOCK, 0, stream>>>(
      l.c, l.d_y, d_params + conv_weights(l.c), l.d_pooled);
  return cudaGetLastError();
}

/* From the slopes of the pooled numbers to those of the parameters and, unless d_x_slopes is null, of x. */
static cudaError_t layer_backward(cublasHandle_t handle, cudaStream_t stream, conv_layer l, int batch,
                                  const float *d_params, float *d_grads, float *d_x_slopes) {
  const int pooled_places = (int)(pooled_count(l.c, batch) / l.c.to);
  hidden_slopes_kernel<<<blocks_of_columns(l.c.to), dim3(COLUMNS, ROWS), 0, stream>>>(
      l.d_pooled, l.d_pooled_slopes, d_grads + conv_weights(l.c), pooled_places, l.c.to);
  cudaError_t error = cudaGetLastError();
  if (error) return error;
  unpool_kernel<<<blocks_of_images(l.c, l.c.to, batch), BLOCK, 0, stream>>>(l.c, l.d_y, l.d_pooled_slopes,
                                                                            l.d_y_slopes);
  error = cudaGetLastError();
  if (error) return error;
  return conv_backward(handle, stream, l.c, batch, d_params, nullptr, l.d_y_slopes, l.d_columns, d_grads,
                       d_x_slopes);
}

/* The backward pass in two halves. `backward` leaves the slopes of the hidden numbers in d_top_work. */
static cudaError_t top_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, int of,
                                const float *d_params, const int *d_labels, const cnn_layers &l,
                                const float *d_probs, float *d_grads) {
  const mlp top = cnn_top(net);
  const float *d_top = d_params + at_top(net);
  const cudaError_t error = backward(handle, stream, top, batch, of, d_top, l.second.d_pooled, d_labels,
                                     l.d_hidden, d_probs, l.d_top_work, d_grads + at_top(net));
  if (error) return error;
  return product(handle, false, true, batch, top.inputs, top.hidden, l.d_top_work, d_top,
                 l.second.d_pooled_slopes);
}

static cudaError_t convs_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch,
                                  const float *d_params, const cnn_layers &l, float *d_grads) {
  const size_t second = at_second(net);
  const cudaError_t error = layer_backward(handle, stream, l.second, batch, d_params + second,
                                           d_grads + second, l.first.d_pooled_slopes);
  return error ? error : layer_backward(handle, stream, l.first, batch, d_params, d_grads, nullptr);
}
// #endregion task-further

cudaError_t cnn_forward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, const float *d_params,
                        const float *d_x, const int *d_labels, float *d_work, float *d_probs,
                        float *d_losses) {
  // #region task-further
  //: /* TODO further: two convolutions with pooling; the rest is `forward`. */
  //: return cudaSuccess;
  const cnn_layers l = layers_at(d_work, net, batch);
  cudaError_t error = layer_forward(handle, stream, l.first, batch, d_params, d_x);
  if (!error)
    error = layer_forward(handle, stream, l.second, batch, d_params + at_second(net), l.first.d_pooled);
  if (!error)
    error = forward(handle, stream, cnn_top(net), batch, d_params + at_top(net), l.second.d_pooled, d_labels,
                    l.d_hidden, d_probs, d_losses);
  return error;
  // #endregion task-further
}

cudaError_t cnn_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, int of,
                         const float *d_params, const int *d_labels, float *d_work, const float *d_probs,
                         float *d_grads) {
  // #region task-further
  //: /* TODO further: `backward`, then the slopes of its images, then the convolutions. */
  //: return cudaSuccess;
  const cnn_layers l = layers_at(d_work, net, batch);
  cudaError_t error = top_backward(handle, stream, net, batch, of, d_params, d_labels, l, d_probs, d_grads);
  if (!error) error = convs_backward(handle, stream, net, batch, d_params, l, d_grads);
  return error;
  // #endregion task-further
}

// #region task-further
//: /* TODO further: tasks 4 and 5 once more. Which gradients are there first, and can be added up meanwhile? */
/* Forward, the part of the loss, which goes after the last gradient, and the gradients of the top. */
static cudaError_t first_half(cublasHandle_t handle, cudaStream_t stream, cnn net, int own, int batch,
                              const float *d_params, const cnn_memory *w) {
  cudaError_t error = cudaSuccess;
  if (own == 0) error = cudaMemsetAsync(w->d_grads, 0, cnn_count(net) * sizeof(float), stream);
  if (!error && own > 0)
    error = cnn_forward(handle, stream, net, own, d_params, w->d_x, w->d_labels, w->d_work, w->d_probs,
                        w->d_losses);
  if (error) return error;
  mean_kernel<<<1, 32, 0, stream>>>(w->d_losses, own, batch, nullptr, w->d_grads + cnn_count(net));
  error = cudaGetLastError();
  if (!error && own > 0)
    error = top_backward(handle, stream, net, own, batch, d_params, w->d_labels,
                         layers_at(w->d_work, net, own), w->d_probs, w->d_grads);
  return error;
}

/* What comes next in `stream` waits for what is in `other`. */
static cudaError_t follow(cudaStream_t stream, cudaStream_t other, cudaEvent_t event) {
  const cudaError_t error = cudaEventRecord(event, other);
  return error ? error : cudaStreamWaitEvent(stream, event, 0);
}

static cudaError_t add_up(ncclComm_t comm, cudaStream_t stream, float *d_grads, size_t count) {
  return nccl_error(ncclAllReduce(d_grads, d_grads, count, ncclFloat, ncclSum, comm, stream));
}
// #endregion task-further

cudaError_t train_cnn(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                      cnn net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                      const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                      float *d_losses) {
  // #region task-further
  //: /* TODO further: capture a step, with all that the ranks send each other; repeat it. */
  //: return cudaSuccess;
  const size_t count = cnn_count(net), top = at_top(net);
  const int first = first_image(batch, rank, ranks), own = first_image(batch, rank + 1, ranks) - first;
  cnn_memory w = {};
  cudaStream_t side = nullptr; /* NCCL has it, so that kernels in `stream` may run at the same time */
  cudaEvent_t event = nullptr;
  cudaGraphExec_t repeat = nullptr;
  cudaError_t error = allocate(&w, net, own);
  if (!error && comm) error = cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
  if (!error && comm) error = cudaEventCreateWithFlags(&event, cudaEventDisableTiming);
  if (!error && comm) error = share_state(comm, stream, count, d_params, d_m, d_v);
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    if (own > 0)
      gather_kernel<<<own, BLOCK, 0, stream>>>(d_images, d_labels, d_order + first, d_step, w.d_x, w.d_labels,
                                               batch, net.height * net.width);
    error = cudaGetLastError();
    if (!error) error = first_half(handle, stream, net, own, batch, d_params, &w);
    /* the gradients of the top travel while those of the convolutions are computed */
    if (!error && comm) error = follow(side, stream, event);
    if (!error && comm) error = add_up(comm, side, w.d_grads + top, count + 1 - top);
    if (!error && own > 0)
      error = convs_backward(handle, stream, net, own, d_params, layers_at(w.d_work, net, own), w.d_grads);
    if (!error && comm) error = follow(stream, side, event);
    if (!error && comm) error = add_up(comm, stream, w.d_grads, top);
    if (!error) {
      keep_loss_kernel<<<1, 1, 0, stream>>>(w.d_grads + count, d_step, d_losses);
      error = cudaGetLastError();
    }
    if (!error) error = adam(stream, count, rate, d_params, w.d_grads, d_m, d_v, d_step);
    error = end_capture(stream, error, &repeat);
  }
  error = repeat_step(stream, steps, repeat, error);
  if (event) cudaEventDestroy(event);
  if (side) cudaStreamDestroy(side);
  cudaFree(w.d_labels);
  return error;
  // #endregion task-further
}
