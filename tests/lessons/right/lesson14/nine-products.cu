/*
 * A convolution is nine products, one for each neighbour of a place. cublasGemmEx, a thread for each row in softmax, a
 * graph of all steps, and one function that trains any network, on one rank or on several.
 */
#include "layers.h"
#include "training.h"
#include <algorithm>
#include <utility>

namespace {

constexpr int kBlock = 128;
unsigned grid_of(size_t n) { return unsigned(std::min<size_t>((n + kBlock - 1) / kBlock, 65536)); }

#define RETURN_IF(call)                                                                                      \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_ != cudaSuccess) return error_;                                                                \
  } while (0)

/* C (m x n) = op(A) op(B), all by rows; column-major cuBLAS sees them turned over. */
template <bool TurnA, bool TurnB>
cudaError_t multiply(cublasHandle_t handle, int m, int n, int k, const float *a, const float *b, float *c) {
  const float alpha = 1.0f, beta = 0.0f;
  return cuda_error(cublasGemmEx(handle, TurnB ? CUBLAS_OP_T : CUBLAS_OP_N, TurnA ? CUBLAS_OP_T : CUBLAS_OP_N,
                                 n, m, k, &alpha, b, CUDA_R_32F, TurnB ? k : n, a, CUDA_R_32F, TurnA ? m : k,
                                 &beta, c, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

/* A block for each row of the batch; threads along the row. */
__global__ void relu_rows(float *rows, const float *bias, int width) {
  float *const mine = rows + size_t(blockIdx.x) * width;
  for (int j = threadIdx.x; j < width; j += blockDim.x) {
    const float z = mine[j] + bias[j];
    mine[j] = z > 0.0f ? z : 0.0f;
  }
}

/* A thread for each row: the largest and the sum in one pass, rescaled when a larger logit comes. */
__global__ void classify(float *rows, const float *bias, const int *labels, float *losses, int n, int width) {
  for (int row = blockIdx.x * kBlock + threadIdx.x; row < n; row += gridDim.x * kBlock) {
    float *const z = rows + size_t(row) * width;
    float largest = z[0] + bias[0], sum = 1.0f;
    for (int j = 1; j < width; j++) {
      const float next = z[j] + bias[j];
      if (next > largest) {
        sum = sum * expf(largest - next) + 1.0f;
        largest = next;
      } else {
        sum += expf(next - largest);
      }
    }
    const int label = labels[row];
    losses[row] = largest - (z[label] + bias[label]) + logf(sum);
    const float scale = 1.0f / sum;
    for (int j = 0; j < width; j++) z[j] = expf(z[j] + bias[j] - largest) * scale;
  }
}

__global__ void logit_slopes(const float *probs, const int *labels, size_t n, int width, float of,
                             float *slopes) {
  for (size_t i = size_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += size_t(gridDim.x) * kBlock) {
    const bool is_label = labels[i / width] == int(i % width);
    slopes[i] = (is_label ? probs[i] - 1.0f : probs[i]) / of;
  }
}

__global__ void where_positive(const float *numbers, size_t n, float *slopes) {
  for (size_t i = size_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += size_t(gridDim.x) * kBlock)
    slopes[i] *= numbers[i] > 0.0f;
}

/* A block for each column. */
__global__ void column_sums(const float *matrix, size_t rows, int width, float *sums) {
  __shared__ float of_warp[kBlock / 32];
  const int column = blockIdx.x;
  float sum = 0.0f;
  for (size_t row = threadIdx.x; row < rows; row += kBlock) sum += matrix[row * width + column];
  for (int d = 1; d < 32; d *= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < kBlock / 32; w++) sum += of_warp[w];
    sums[column] = sum;
  }
}

__global__ void next_step(int *step) { ++*step; }

/* The step is counted already. */
__global__ void move_params(size_t n, float rate, float *p, const float *g, float *m, float *v,
                            const int *step) {
  const float t = float(*step), of_m = 1.0f - powf(0.9f, t), of_v = 1.0f - powf(0.999f, t);
  for (size_t i = size_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += size_t(gridDim.x) * kBlock) {
    const float slope = g[i];
    const float mean = fmaf(0.9f, m[i], 0.1f * slope), square = fmaf(0.999f, v[i], 0.001f * (slope * slope));
    m[i] = mean;
    v[i] = square;
    p[i] = p[i] - rate * ((mean / of_m) / (sqrtf(square / of_v) + 1e-8f));
  }
}

} // namespace

cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
  RETURN_IF(cuda_error(cublasSetStream(handle, stream)));
  if (batch <= 0) return cudaSuccess;
  RETURN_IF((multiply<false, false>(handle, batch, net.hidden, net.inputs, d_x, d_params, d_hidden)));
  relu_rows<<<batch, kBlock, 0, stream>>>(d_hidden, d_params + at_b1(net), net.hidden);
  RETURN_IF(cudaGetLastError());
  RETURN_IF((multiply<false, false>(handle, batch, net.outputs, net.hidden, d_hidden, d_params + at_w2(net),
                                    d_probs)));
  classify<<<grid_of(batch), kBlock, 0, stream>>>(d_probs, d_params + at_b2(net), d_labels, d_losses, batch,
                                                  net.outputs);
  return cudaGetLastError();
}

cudaError_t backward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int of,
                     const float *d_params, const float *d_x, const int *d_labels, const float *d_hidden,
                     const float *d_probs, float *d_work, float *d_grads) {
  RETURN_IF(cuda_error(cublasSetStream(handle, stream)));
  if (batch <= 0) return cudaMemsetAsync(d_grads, 0, sizeof(float) * mlp_count(net), stream);
  const size_t hidden = size_t(batch) * net.hidden, logits = size_t(batch) * net.outputs;
  float *const of_hidden = d_work, *const of_logits =
                                       d_work + hidden; /* hidden first: cnn_backward reads them there */
  logit_slopes<<<grid_of(logits), kBlock, 0, stream>>>(d_probs, d_labels, logits, net.outputs, float(of),
                                                       of_logits);
  RETURN_IF(cudaGetLastError());
  RETURN_IF((multiply<false, true>(handle, batch, net.hidden, net.outputs, of_logits, d_params + at_w2(net),
                                   of_hidden)));
  where_positive<<<grid_of(hidden), kBlock, 0, stream>>>(d_hidden, hidden, of_hidden);
  RETURN_IF(cudaGetLastError());
  RETURN_IF((multiply<true, false>(handle, net.inputs, net.hidden, batch, d_x, of_hidden, d_grads)));
  column_sums<<<net.hidden, kBlock, 0, stream>>>(of_hidden, batch, net.hidden, d_grads + at_b1(net));
  RETURN_IF(cudaGetLastError());
  RETURN_IF((multiply<true, false>(handle, net.hidden, net.outputs, batch, d_hidden, of_logits,
                                   d_grads + at_w2(net))));
  column_sums<<<net.outputs, kBlock, 0, stream>>>(of_logits, batch, net.outputs, d_grads + at_b2(net));
  return cudaGetLastError();
}

cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step) {
  next_step<<<1, 1, 0, stream>>>(d_step);
  RETURN_IF(cudaGetLastError());
  if (count == 0) return cudaSuccess;
  move_params<<<grid_of(count), kBlock, 0, stream>>>(count, rate, d_params, d_grads, d_m, d_v, d_step);
  return cudaGetLastError();
}

namespace {

/* Threads over all pixels of this rank's rows; row i is image order[step * batch + first + i]. */
__global__ void collect(const float *images, const int *labels, const int *order, const int *step, int batch,
                        int first, size_t n, int inputs, float *x, int *x_labels) {
  const size_t begin = size_t(*step) * batch + first;
  for (size_t i = size_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += size_t(gridDim.x) * kBlock) {
    const size_t row = i / inputs, pixel = i % inputs, image = order[begin + row];
    x[i] = images[image * inputs + pixel];
    if (pixel == 0) x_labels[row] = labels[image];
  }
}

/* One warp. */
__global__ void add_losses(const float *losses, int n, float batch, float *mean) {
  float sum = 0.0f;
  for (int i = threadIdx.x; i < n; i += 32) sum += losses[i] / batch;
  for (int d = 16; d > 0; d >>= 1) sum += __shfl_down_sync(~0u, sum, d);
  if (threadIdx.x == 0) *mean = sum;
}

__global__ void record(const float *mean, const int *step, float *losses) { losses[*step] = *mean; }

struct job { /* the arguments of a training */
  cublasHandle_t handle;
  cudaStream_t stream;
  int batch, steps;
  float rate;
  const float *images;
  const int *labels, *order;
  float *params, *m, *v;
  int *step;
  float *losses;
};

struct space { /* one allocation */
  char *base = nullptr;
  size_t used = 0;
  template <class T> T *take(size_t n) {
    used = (used + 255) / 256 * 256;
    T *const here = base ? reinterpret_cast<T *>(base + used) : nullptr;
    used += n * sizeof(T);
    return here;
  }
};

/* A network: forward and backward for the rows in x, gradients to grads. */
struct of_mlp {
  mlp net;
  float *hidden = nullptr, *probs = nullptr, *work = nullptr;
  int inputs() const { return net.inputs; }
  size_t count() const { return mlp_count(net); }
  void place(space &s, int rows) {
    hidden = s.take<float>(size_t(rows) * net.hidden);
    probs = s.take<float>(size_t(rows) * net.outputs);
    work = s.take<float>(size_t(rows) * (size_t(net.hidden) + net.outputs));
  }
  cudaError_t pass(const job &j, int rows, const float *x, const int *labels, float *losses,
                   float *grads) const {
    RETURN_IF(forward(j.handle, j.stream, net, rows, j.params, x, labels, hidden, probs, losses));
    return backward(j.handle, j.stream, net, rows, j.batch, j.params, x, labels, hidden, probs, work, grads);
  }
};

struct of_cnn {
  cnn net;
  float *work = nullptr, *probs = nullptr;
  int inputs() const { return net.height * net.width; }
  size_t count() const { return cnn_count(net); }
  void place(space &s, int rows) {
    work = s.take<float>(cnn_work(net, rows));
    probs = s.take<float>(size_t(rows) * net.outputs);
  }
  cudaError_t pass(const job &j, int rows, const float *x, const int *labels, float *losses,
                   float *grads) const {
    if (rows == 0) return cudaMemsetAsync(grads, 0, sizeof(float) * count(), j.stream);
    RETURN_IF(cnn_forward(j.handle, j.stream, net, rows, j.params, x, labels, work, probs, losses));
    return cnn_backward(j.handle, j.stream, net, rows, j.batch, j.params, labels, work, probs, grads);
  }
};

template <class Network> struct trainer {
  job j;
  Network net;
  ncclComm_t comm;
  int first, rows;
  space s;
  float *x = nullptr, *batch_losses = nullptr, *grads = nullptr;
  int *x_labels = nullptr;

  void lay_out() {
    s.used = 0;
    x = s.take<float>(size_t(rows) * net.inputs());
    x_labels = s.take<int>(rows);
    batch_losses = s.take<float>(rows);
    net.place(s, rows);
    grads = s.take<float>(net.count() + 1);
  }
  cudaError_t queue_step() {
    const size_t numbers = size_t(rows) * net.inputs(), count = net.count();
    if (rows > 0) {
      collect<<<grid_of(numbers), kBlock, 0, j.stream>>>(j.images, j.labels, j.order, j.step, j.batch, first,
                                                         numbers, net.inputs(), x, x_labels);
      RETURN_IF(cudaGetLastError());
    }
    RETURN_IF(net.pass(j, rows, x, x_labels, batch_losses, grads));
    add_losses<<<1, 32, 0, j.stream>>>(batch_losses, rows, float(j.batch), grads + count);
    RETURN_IF(cudaGetLastError());
    if (comm)
      RETURN_IF(nccl_error(ncclAllReduce(grads, grads, count + 1, ncclFloat32, ncclSum, comm, j.stream)));
    record<<<1, 1, 0, j.stream>>>(grads + count, j.step, j.losses);
    RETURN_IF(cudaGetLastError());
    return adam(j.stream, count, j.rate, j.params, grads, j.m, j.v, j.step);
  }
  cudaError_t share() {
    RETURN_IF(nccl_error(ncclGroupStart()));
    ncclResult_t result = ncclSuccess;
    for (float *state : {j.params, j.m, j.v})
      if (result == ncclSuccess) result = ncclBcast(state, net.count(), ncclFloat, 0, comm, j.stream);
    const ncclResult_t end = ncclGroupEnd();
    return nccl_error(result != ncclSuccess ? result : end);
  }
  cudaError_t run() {
    lay_out();
    RETURN_IF(cudaMalloc(reinterpret_cast<void **>(&s.base), s.used));
    lay_out();
    cudaError_t error = comm ? share() : cudaSuccess;
    cudaGraph_t all = nullptr;
    cudaGraphExec_t exec = nullptr;
    if (error == cudaSuccess && j.steps > 0) {
      error = cudaStreamBeginCapture(j.stream, cudaStreamCaptureModeThreadLocal);
      if (error == cudaSuccess) {
        for (int i = 0; i < j.steps && error == cudaSuccess; i++) error = queue_step();
        const cudaError_t end = cudaStreamEndCapture(j.stream, &all);
        if (error == cudaSuccess) error = end;
      }
      if (error == cudaSuccess) error = cudaGraphInstantiate(&exec, all, 0);
      if (error == cudaSuccess) error = cudaGraphLaunch(exec, j.stream);
    }
    const cudaError_t done = cudaStreamSynchronize(j.stream);
    if (error == cudaSuccess) error = done;
    if (exec) cudaGraphExecDestroy(exec);
    if (all) cudaGraphDestroy(all);
    cudaFree(s.base);
    return error;
  }
};

template <class Network> cudaError_t run(const job &j, Network net, ncclComm_t comm, int rank, int ranks) {
  const int first = int(1LL * j.batch * rank / ranks), end = int(1LL * j.batch * (rank + 1) / ranks);
  trainer<Network> t{j, net, comm, first, end - first, {}};
  return t.run();
}

} // namespace

cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
  return run(job{handle, stream, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m, d_v, d_step,
                 d_losses},
             of_mlp{net}, nullptr, 0, 1);
}

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  ncclComm_t comm = nullptr;
  RETURN_IF(nccl_error(ncclCommInitRank(&comm, ranks, id, rank)));
  const cudaError_t error = run(job{handle, stream, batch, steps, rate, d_images, d_labels, d_order, d_params,
                                    d_m, d_v, d_step, d_losses},
                                of_mlp{net}, comm, rank, ranks);
  const cudaError_t left = nccl_error(error == cudaSuccess ? ncclCommDestroy(comm) : ncclCommAbort(comm));
  return error == cudaSuccess ? left : error;
}

cudaError_t train_cnn(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                      cnn net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                      const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                      float *d_losses) {
  return run(job{handle, stream, batch, steps, rate, d_images, d_labels, d_order, d_params, d_m, d_v, d_step,
                 d_losses},
             of_cnn{net}, ranks > 1 ? comm : nullptr, rank, ranks);
}

/* ---- Convolutions: d_columns holds nine matrices (places x from), one for each neighbour, so that a convolution is
 * nine products that add to y. ---- */

namespace {

__global__ void shifted(conv c, size_t n, const float *x, float *planes) {
  for (size_t i = size_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += size_t(gridDim.x) * kBlock) {
    const size_t place = i / c.from;
    const int column = int(place % c.width), row = int(place / c.width % c.height);
    for (int k = 0; k < 9; k++) {
      const int down = k / 3 - 1, right = k % 3 - 1;
      const bool there =
          unsigned(row + down) < unsigned(c.height) && unsigned(column + right) < unsigned(c.width);
      planes[k * n + i] = there ? x[(ptrdiff_t)i + ((ptrdiff_t)down * c.width + right) * c.from] : 0.0f;
    }
  }
}

__global__ void unshifted(conv c, size_t n, const float *planes, float *x_slopes) {
  for (size_t i = size_t(blockIdx.x) * kBlock + threadIdx.x; i < n; i += size_t(gridDim.x) * kBlock) {
    const size_t place = i / c.from;
    const int column = int(place % c.width), row = int(place / c.width % c.height);
    float sum = 0.0f;
    for (int k = 0; k < 9; k++) {
      const int up = 1 - k / 3, left = 1 - k % 3;
      if (unsigned(row + up) < unsigned(c.height) && unsigned(column + left) < unsigned(c.width))
        sum += planes[k * n + (size_t)((ptrdiff_t)i + ((ptrdiff_t)up * c.width + left) * c.from)];
    }
    x_slopes[i] = sum;
  }
}

} // namespace

cudaError_t conv_forward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                         const float *d_weights, const float *d_x, float *d_columns, float *d_y) {
  const size_t places = conv_places(c, batch), n = places * c.from, weights = size_t(c.from) * c.to;
  RETURN_IF(cuda_error(cublasSetStream(handle, stream)));
  shifted<<<grid_of(n), kBlock, 0, stream>>>(c, n, d_x, d_columns);
  RETURN_IF(cudaGetLastError());
  const float one = 1.0f;
  for (int k = 0; k < 9; k++) {
    const float beta = k == 0 ? 0.0f : 1.0f;
    RETURN_IF(
        cuda_error(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, c.to, int(places), c.from, &one,
                               d_weights + k * weights, c.to, d_columns + k * n, c.from, &beta, d_y, c.to)));
  }
  return cudaSuccess;
}

cudaError_t conv_backward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                          const float *d_weights, const float *, const float *d_y_slopes, float *d_columns,
                          float *d_weight_slopes, float *d_x_slopes) {
  const size_t places = conv_places(c, batch), n = places * c.from, weights = size_t(c.from) * c.to;
  RETURN_IF(cuda_error(cublasSetStream(handle, stream)));
  for (int k = 0; k < 9; k++)
    RETURN_IF((multiply<true, false>(handle, c.from, c.to, int(places), d_columns + k * n, d_y_slopes,
                                     d_weight_slopes + k * weights)));
  if (d_x_slopes == nullptr) return cudaSuccess;
  for (int k = 0; k < 9; k++)
    RETURN_IF((multiply<false, true>(handle, int(places), c.from, c.to, d_y_slopes, d_weights + k * weights,
                                     d_columns + k * n)));
  unshifted<<<grid_of(n), kBlock, 0, stream>>>(c, n, d_columns, d_x_slopes);
  return cudaGetLastError();
}

cudaError_t cnn_forward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, const float *d_params,
                        const float *d_x, const int *d_labels, float *d_work, float *d_probs,
                        float *d_losses) {
  const cnn_layers all = layers_at(d_work, net, batch);
  const float *input = d_x, *weights = d_params;
  for (const conv_layer &l : {all.first, all.second}) {
    const float *const bias = weights + conv_weights(l.c);
    RETURN_IF(conv_forward(handle, stream, l.c, batch, weights, input, l.d_columns, l.d_y));
    const size_t pooled = size_t(l.c.height / 2) * (l.c.width / 2) * l.c.to;
    pool_kernel<<<dim3(unsigned(batch), blocks_for(pooled)), BLOCK, 0, stream>>>(l.c, l.d_y, bias,
                                                                                 l.d_pooled);
    RETURN_IF(cudaGetLastError());
    input = l.d_pooled;
    weights = bias + l.c.to;
  }
  return forward(handle, stream, cnn_top(net), batch, weights, input, d_labels, all.d_hidden, d_probs,
                 d_losses);
}

cudaError_t cnn_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, int of,
                         const float *d_params, const int *d_labels, float *d_work, const float *d_probs,
                         float *d_grads) {
  const cnn_layers all = layers_at(d_work, net, batch);
  const mlp top = cnn_top(net);
  RETURN_IF(backward(handle, stream, top, batch, of, d_params + at_top(net), all.second.d_pooled, d_labels,
                     all.d_hidden, d_probs, all.d_top_work, d_grads + at_top(net)));
  RETURN_IF((multiply<false, true>(handle, batch, top.inputs, top.hidden, all.d_top_work,
                                   d_params + at_top(net), all.second.d_pooled_slopes)));
  const conv_layer layers[] = {all.second, all.first};
  const size_t begin[] = {at_second(net), 0};
  float *const input_slopes[] = {all.first.d_pooled_slopes, nullptr};
  for (int i = 0; i < 2; i++) {
    const conv_layer &l = layers[i];
    const size_t n = pooled_count(l.c, batch);
    where_positive<<<grid_of(n), kBlock, 0, stream>>>(l.d_pooled, n, l.d_pooled_slopes);
    RETURN_IF(cudaGetLastError());
    column_sums<<<l.c.to, kBlock, 0, stream>>>(l.d_pooled_slopes, n / l.c.to, l.c.to,
                                               d_grads + begin[i] + conv_weights(l.c));
    RETURN_IF(cudaGetLastError());
    unpool_kernel<<<blocks_of_images(l.c, l.c.to, batch), BLOCK, 0, stream>>>(l.c, l.d_y, l.d_pooled_slopes,
                                                                              l.d_y_slopes);
    RETURN_IF(cudaGetLastError());
    RETURN_IF(conv_backward(handle, stream, l.c, batch, d_params + begin[i], nullptr, l.d_y_slopes,
                            l.d_columns, d_grads + begin[i], input_slopes[i]));
  }
  return cudaSuccess;
}
