/* A block for each row of softmax, which finds its largest and its sum in shared memory by one template; a
 * grid-stride loop for
 * Adam, with a grid of fixed size. */
#include "layers.h"
#include "training.h"

/* d_hidden = max(0, d_hidden + bias), `count` numbers in rows of `width`: one pass for both. */
static __global__ void bias_relu_kernel(float *d_hidden, const float *d_bias, int width, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) d_hidden[i] = fmaxf(0, d_hidden[i] + d_bias[i % width]);
}

static __device__ float warp_sum(float x) {
  for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(~0u, x, step);
  return x;
}

static __device__ float larger(float a, float b) { return a > b ? a : b; }
static __device__ float added(float a, float b) { return a + b; }

/* What `join` makes of the numbers of all threads of a block, in all of them. THREADS is a power of two. */
template <int THREADS> static __device__ float of_block(float mine, float (*join)(float, float)) {
  __shared__ float all[THREADS];
  __syncthreads();
  all[threadIdx.x] = mine;
  for (int step = THREADS / 2; step > 0; step /= 2) {
    __syncthreads();
    if (threadIdx.x < step) all[threadIdx.x] = join(all[threadIdx.x], all[threadIdx.x + step]);
  }
  __syncthreads();
  return all[0];
}

/* A block for each row. */
#define ROW_THREADS 64
static __global__ void softmax_kernel(float *d_probs, const float *d_bias, const int *d_labels,
                                      float *d_losses, int outputs) {
  float *const z = d_probs + (size_t)blockIdx.x * outputs;
  float largest = -INFINITY, sum = 0, own = 0;
  for (int j = threadIdx.x; j < outputs; j += ROW_THREADS) largest = larger(largest, z[j] += d_bias[j]);
  largest = of_block<ROW_THREADS>(largest, larger);
  for (int j = threadIdx.x; j < outputs; j += ROW_THREADS) {
    if (j == d_labels[blockIdx.x]) own = z[j] - largest;
    z[j] = expf(z[j] - largest);
    sum += z[j];
  }
  sum = of_block<ROW_THREADS>(sum, added);
  own = of_block<ROW_THREADS>(own, added);
  for (int j = threadIdx.x; j < outputs; j += ROW_THREADS) z[j] /= sum;
  if (threadIdx.x == 0) d_losses[blockIdx.x] = logf(sum) - own;
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
  softmax_kernel<<<batch, ROW_THREADS, 0, stream>>>(d_probs, d_params + at_b2(net), d_labels, d_losses,
                                                    net.outputs);
  return cudaGetLastError();
}

/* Few columns for a block, so that there are many blocks: 8 floats of a row are the 32 bytes that memory
 * gives. */
#define COLUMNS 8   /* of a matrix that a block has */
#define ROWS    128 /* rows of threads in a block */

/* The sum of the threads' numbers over the rows of a block, in the threads of the first row: lesson06's
 * tree. */
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
}

#define BETA1   0.9f
#define BETA2   0.999f
#define EPSILON 1e-8f

static __global__ void adam_kernel(float *d_params, const float *d_grads, float *d_m, float *d_v,
                                   const int *d_step, float rate, size_t count) {
  const float t = *d_step + 1, first = 1 - powf(BETA1, t), second = 1 - powf(BETA2, t);
  const size_t stride = (size_t)gridDim.x * blockDim.x;
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) {
    const float g = d_grads[i], m = BETA1 * d_m[i] + (1 - BETA1) * g,
                v = BETA2 * d_v[i] + (1 - BETA2) * g * g;
    d_m[i] = m;
    d_v[i] = v;
    d_params[i] -= rate * (m / first) / (sqrtf(v / second) + EPSILON);
  }
}

/* A kernel of its own: while adam_kernel runs, its blocks still read the old number. */
static __global__ void count_step_kernel(int *d_step) { ++*d_step; }

cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step) {
  if (count > 0) adam_kernel<<<48, 192, 0, stream>>>(d_params, d_grads, d_m, d_v, d_step, rate, count);
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

/* One warp adds up `count` losses, which are all or a part of `of`; d_step: where the mean goes, null: to
 * 0. */
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

cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
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
}

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

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
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
}

/*
 * Row by row, the 3 x 3 neighbours of each place of each image, all their channels; 0 where a neighbour is
 * outside. d_columns has a row of 9 * from numbers for each place, so y = columns * weights. Block (image,
 * part).
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

/* The way back: a number of x was in up to nine rows, each time as another neighbour. Its slope is the
 * sum. */
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

cudaError_t conv_forward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                         const float *d_weights, const float *d_x, float *d_columns, float *d_y) {
  const int rows = (int)conv_places(c, batch), width = 9 * c.from;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (error) return error;
  neighbours_kernel<<<blocks_of_images(c, 9 * c.from, batch), BLOCK, 0, stream>>>(c, d_x, d_columns);
  error = cudaGetLastError();
  return error ? error : product(handle, false, false, rows, c.to, width, d_columns, d_weights, d_y);
}

cudaError_t conv_backward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                          const float *d_weights, const float *, const float *d_y_slopes, float *d_columns,
                          float *d_weight_slopes, float *d_x_slopes) {
  const int rows = (int)conv_places(c, batch), width = 9 * c.from;
  cudaError_t error = cuda_error(cublasSetStream(handle, stream));
  if (!error) error = product(handle, true, false, width, c.to, rows, d_columns, d_y_slopes, d_weight_slopes);
  if (error || !d_x_slopes) return error;
  error = product(handle, false, true, rows, width, c.to, d_y_slopes, d_weights, d_columns);
  if (error) return error;
  from_neighbours_kernel<<<blocks_of_images(c, c.from, batch), BLOCK, 0, stream>>>(c, d_columns, d_x_slopes);
  return cudaGetLastError();
}

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

cudaError_t cnn_forward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, const float *d_params,
                        const float *d_x, const int *d_labels, float *d_work, float *d_probs,
                        float *d_losses) {
  const cnn_layers l = layers_at(d_work, net, batch);
  cudaError_t error = layer_forward(handle, stream, l.first, batch, d_params, d_x);
  if (!error)
    error = layer_forward(handle, stream, l.second, batch, d_params + at_second(net), l.first.d_pooled);
  if (!error)
    error = forward(handle, stream, cnn_top(net), batch, d_params + at_top(net), l.second.d_pooled, d_labels,
                    l.d_hidden, d_probs, d_losses);
  return error;
}

cudaError_t cnn_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, int of,
                         const float *d_params, const int *d_labels, float *d_work, const float *d_probs,
                         float *d_grads) {
  const cnn_layers l = layers_at(d_work, net, batch);
  cudaError_t error = top_backward(handle, stream, net, batch, of, d_params, d_labels, l, d_probs, d_grads);
  if (!error) error = convs_backward(handle, stream, net, batch, d_params, l, d_grads);
  return error;
}

/* NCCL's calls are in a stream of their own, so that kernels may run at the same time. */
struct team {
  ncclComm_t comm;   /* null: there is one rank */
  cudaStream_t side; /* with one rank, the stream of the kernels */
  cudaEvent_t ready;
};

static cudaError_t begin_team(team *t, cudaStream_t stream, size_t count, float *d_params, float *d_m,
                              float *d_v) {
  if (!t->comm) return cudaSuccess;
  cudaError_t error = cudaStreamCreateWithFlags(&t->side, cudaStreamNonBlocking);
  if (!error) error = cudaEventCreateWithFlags(&t->ready, cudaEventDisableTiming);
  return error ? error : share_state(t->comm, stream, count, d_params, d_m, d_v);
}

static void end_team(const team *t, cudaStream_t stream) {
  if (t->ready) cudaEventDestroy(t->ready);
  if (t->side != stream) cudaStreamDestroy(t->side);
}

/* What comes next in `stream` follows what is in `other`. */
static cudaError_t follow(const team *t, cudaStream_t stream, cudaStream_t other) {
  if (!t->comm) return cudaSuccess;
  const cudaError_t error = cudaEventRecord(t->ready, other);
  return error ? error : cudaStreamWaitEvent(stream, t->ready, 0);
}

/* Adds gradients up over the ranks, as soon as `stream` has computed them. */
static cudaError_t add_up(const team *t, cudaStream_t stream, float *d_grads, size_t count) {
  const cudaError_t error = follow(t, t->side, stream);
  if (error || !t->comm) return error;
  return nccl_error(ncclAllReduce(d_grads, d_grads, count, ncclFloat, ncclSum, t->comm, t->side));
}

/* Forward, the loss's part, which goes after the last gradient, and the gradients of the top. */
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

cudaError_t train_cnn(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                      cnn net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                      const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                      float *d_losses) {
  const size_t count = cnn_count(net), top = at_top(net);
  const int first = first_image(batch, rank, ranks), own = first_image(batch, rank + 1, ranks) - first;
  cnn_memory w = {};
  team t = {comm, stream, nullptr};
  cudaGraphExec_t repeat = nullptr;
  cudaError_t error = allocate(&w, net, own);
  if (!error) error = begin_team(&t, stream, count, d_params, d_m, d_v);
  if (!error) error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (!error) {
    if (own > 0)
      gather_kernel<<<own, BLOCK, 0, stream>>>(d_images, d_labels, d_order + first, d_step, w.d_x, w.d_labels,
                                               batch, net.height * net.width);
    error = cudaGetLastError();
    if (!error) error = first_half(handle, stream, net, own, batch, d_params, &w);
    /* the gradients of the top travel, and move it, while those of the convolutions are computed */
    if (!error) error = add_up(&t, stream, w.d_grads + top, count + 1 - top);
    if (!error) {
      keep_loss_kernel<<<1, 1, 0, t.side>>>(w.d_grads + count, d_step, d_losses);
      adam_kernel<<<blocks_for(count - top), BLOCK, 0, t.side>>>(d_params + top, w.d_grads + top, d_m + top,
                                                                 d_v + top, d_step, rate, count - top);
      error = cudaGetLastError();
    }
    if (!error && own > 0)
      error = convs_backward(handle, stream, net, own, d_params, layers_at(w.d_work, net, own), w.d_grads);
    if (!error) error = add_up(&t, stream, w.d_grads, top);
    if (!error) error = follow(&t, stream, t.side);
    if (!error) error = adam(stream, top, rate, d_params, w.d_grads, d_m, d_v, d_step);
    error = end_capture(stream, error, &repeat);
  }
  error = repeat_step(stream, steps, repeat, error);
  end_team(&t, stream);
  cudaFree(w.d_labels);
  return error;
}
