/* A thread for each row and each column, softmax in one pass, bias gradients by cuBLAS with a vector of ones, and a
 * first step without the graph. */
#include "training.h"

#include <math_constants.h>

#define TRY(call)                                                                                            \
  do {                                                                                                       \
    const cudaError_t error_ = (call);                                                                       \
    if (error_ != cudaSuccess) return error_;                                                                \
  } while (0)
#define TRY_BLAS(call) TRY(cuda_error(call))

__global__ void activate(float *h, const float *b, int batch, int hidden) {
  for (int row = blockIdx.y; row < batch; row += gridDim.y) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= hidden) return;
    const float z = h[(size_t)row * hidden + column] + b[column];
    h[(size_t)row * hidden + column] = z > 0 ? z : 0;
  }
}

/* The sum of exponentials is rescaled whenever a larger logit comes (Milakov and Gimelshein, 2018). */
__global__ void classify(float *p, const float *b, const int *labels, float *losses, int batch, int outputs) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= batch) return;
  p += (size_t)row * outputs;
  float largest = -CUDART_INF_F, sum = 0;
  for (int j = 0; j < outputs; j++) {
    const float z = p[j] + b[j], now = fmaxf(largest, z);
    sum = sum * __expf(largest - now) + __expf(z - now);
    largest = now;
  }
  losses[row] = __logf(sum) + largest - (p[labels[row]] + b[labels[row]]);
  for (int j = 0; j < outputs; j++) p[j] = __expf(p[j] + b[j] - largest) / sum;
}

cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
  const float one = 1, zero = 0;
  const int I = net.inputs, H = net.hidden, O = net.outputs;
  if (!batch) return cudaSuccess;
  TRY_BLAS(cublasSetStream(handle, stream));
  TRY_BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, H, batch, I, &one, d_params, CUDA_R_32F, H, d_x,
                        CUDA_R_32F, I, &zero, d_hidden, CUDA_R_32F, H, CUBLAS_COMPUTE_32F,
                        CUBLAS_GEMM_DEFAULT));
  activate<<<dim3((H + 127) / 128, batch < 1024 ? batch : 1024), 128, 0, stream>>>(
      d_hidden, d_params + at_b1(net), batch, H);
  TRY(cudaPeekAtLastError());
  TRY_BLAS(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, O, batch, H, &one, d_params + at_w2(net),
                        CUDA_R_32F, O, d_hidden, CUDA_R_32F, H, &zero, d_probs, CUDA_R_32F, O,
                        CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  classify<<<(batch + 63) / 64, 64, 0, stream>>>(d_probs, d_params + at_b2(net), d_labels, d_losses, batch,
                                                 O);
  return cudaPeekAtLastError();
}

__global__ void top_slopes(const float *p, const int *labels, float *slopes, int outputs, size_t count,
                           float part) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  slopes[i] = p[i] * part;
  if (labels[i / outputs] == (int)(i % outputs)) slopes[i] -= part;
}

__global__ void cut_and_sum(const float *h, float *slopes, float *grad, int batch, int hidden) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= hidden) return;
  float sum = 0;
  for (size_t i = column; i < (size_t)batch * hidden; i += hidden) sum += slopes[i] *= h[i] > 0;
  grad[column] = sum;
}

__global__ void column_sums(const float *slopes, float *grad, int batch, int outputs) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= outputs) return;
  float sum = 0;
  for (int row = 0; row < batch; row++) sum += slopes[(size_t)row * outputs + column];
  grad[column] = sum;
}

cudaError_t backward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int of,
                     const float *d_params, const float *d_x, const int *d_labels, const float *d_hidden,
                     const float *d_probs, float *d_work, float *d_grads) {
  const float one = 1, zero = 0;
  const int I = net.inputs, H = net.hidden, O = net.outputs;
  const size_t count = (size_t)batch * O;
  float *d_top = d_work, *d_below = d_work + count;
  if (batch == 0) return cudaMemsetAsync(d_grads, 0, mlp_count(net) * sizeof(float), stream);
  TRY_BLAS(cublasSetStream(handle, stream));
  top_slopes<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(d_probs, d_labels, d_top, O, count,
                                                                  1.0f / of);
  TRY(cudaGetLastError());
  TRY_BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, O, H, batch, &one, d_top, O, d_hidden, H, &zero,
                       d_grads + at_w2(net), O));
  column_sums<<<(O + 31) / 32, 32, 0, stream>>>(d_top, d_grads + at_b2(net), batch, O);
  TRY(cudaGetLastError());
  TRY_BLAS(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, H, batch, O, &one, d_params + at_w2(net), O, d_top,
                       O, &zero, d_below, H));
  cut_and_sum<<<(H + 63) / 64, 64, 0, stream>>>(d_hidden, d_below, d_grads + at_b1(net), batch, H);
  TRY(cudaGetLastError());
  TRY_BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, H, I, batch, &one, d_below, H, d_x, I, &zero,
                       d_grads, H));
  return cudaSuccess;
}

/* 1 - 0.999^t without the loss of digits of the difference. */
__global__ void move(float *p, const float *g, float *m, float *v, const int *step, float rate,
                     size_t count) {
  const float t = (float)(*step + 1), first = -expm1f(t * -0.105360516f),
              second = -expm1f(t * -0.00100050033f);
  for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += (size_t)gridDim.x * blockDim.x) {
    m[i] += 0.1f * (g[i] - m[i]);
    v[i] += 0.001f * (g[i] * g[i] - v[i]);
    p[i] -= rate * m[i] / (first * (sqrtf(v[i] / second) + 1e-8f));
  }
}

__global__ void next_step(int *step) { atomicAdd(step, 1); }

cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step) {
  move<<<64, 128, 0, stream>>>(d_params, d_grads, d_m, d_v, d_step, rate, count);
  TRY(cudaGetLastError());
  next_step<<<1, 1, 0, stream>>>(d_step);
  return cudaGetLastError();
}

struct desk {
  float *x, *hidden, *probs, *losses, *work, *grads;
  int *labels;
};

__global__ void pick(const float *images, const int *labels, const int *order, const int *step, float *x,
                     int *y, int batch, int inputs, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int row = (int)(i / inputs), image = order[(size_t)*step * batch + row];
  x[i] = images[(size_t)image * inputs + i % inputs];
  if (i % inputs == 0) y[row] = labels[image];
}

__global__ void average(const float *losses, int batch, const int *step, float *means) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < batch; i += blockDim.x) atomicAdd(&sum, losses[i]);
  __syncthreads();
  if (threadIdx.x == 0) means[*step] = sum / batch;
}

static cudaError_t one_step(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, float rate,
                            const float *d_images, const int *d_labels, const int *d_order, float *d_params,
                            float *d_m, float *d_v, int *d_step, float *d_losses, const desk &d) {
  const size_t count = (size_t)batch * net.inputs;
  pick<<<(unsigned)((count + 255) / 256), 256, 0, stream>>>(d_images, d_labels, d_order, d_step, d.x,
                                                            d.labels, batch, net.inputs, count);
  TRY(cudaGetLastError());
  TRY(forward(handle, stream, net, batch, d_params, d.x, d.labels, d.hidden, d.probs, d.losses));
  average<<<1, 64, 0, stream>>>(d.losses, batch, d_step, d_losses);
  TRY(cudaGetLastError());
  TRY(backward(handle, stream, net, batch, batch, d_params, d.x, d.labels, d.hidden, d.probs, d.work,
               d.grads));
  return adam(stream, mlp_count(net), rate, d_params, d.grads, d_m, d_v, d_step);
}

cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
  desk d = {};
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t exec = nullptr;
  const size_t n = batch;
  if (steps == 0) return cudaSuccess;
  cudaError_t e = cudaMalloc(&d.x, n * net.inputs * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.hidden, n * net.hidden * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.probs, n * net.outputs * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.losses, n * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.work, n * (net.hidden + net.outputs) * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.grads, mlp_count(net) * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.labels, n * sizeof(int));
  /* the first step by hand, as a warm-up */
  if (e == cudaSuccess)
    e = one_step(handle, stream, net, batch, rate, d_images, d_labels, d_order, d_params, d_m, d_v, d_step,
                 d_losses, d);
  if (e == cudaSuccess && steps > 1) {
    e = cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
    if (e == cudaSuccess) {
      e = one_step(handle, stream, net, batch, rate, d_images, d_labels, d_order, d_params, d_m, d_v, d_step,
                   d_losses, d);
      const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
      if (e == cudaSuccess) e = ended;
    }
    if (e == cudaSuccess) e = cudaGraphInstantiate(&exec, graph, 0);
    for (int i = 1; i < steps && e == cudaSuccess; i++) e = cudaGraphLaunch(exec, stream);
  }
  const cudaError_t w = cudaStreamSynchronize(stream);
  if (exec) cudaGraphExecDestroy(exec);
  if (graph) cudaGraphDestroy(graph);
  cudaFree(d.x), cudaFree(d.hidden), cudaFree(d.probs), cudaFree(d.losses), cudaFree(d.work),
      cudaFree(d.grads);
  cudaFree(d.labels);
  return e != cudaSuccess ? e : w;
}

/* Each rank's losses and gradients go by two collectives; the broadcast is three calls. */
static cudaError_t status_of(ncclResult_t result) { return nccl_error(result); }

__global__ void share_of_loss(const float *losses, int mine, int batch, const int *step, float *means) {
  float sum = 0;
  for (int i = 0; i < mine; i++) sum += losses[i];
  means[*step] = sum / batch;
}

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  const int from = batch * rank / ranks, mine = batch * (rank + 1) / ranks - from, room = mine ? mine : 1;
  const size_t pixels = (size_t)mine * net.inputs;
  desk d = {};
  ncclComm_t comm;
  int done = 0;
  TRY(status_of(ncclCommInitRank(&comm, ranks, id, rank)));
  cudaError_t e = cudaMalloc(&d.x, room * net.inputs * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.hidden, room * net.hidden * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.probs, room * net.outputs * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.losses, room * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.work, room * (net.hidden + net.outputs) * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.grads, mlp_count(net) * sizeof(float));
  if (e == cudaSuccess) e = cudaMalloc(&d.labels, room * sizeof(int));
  if (e == cudaSuccess) e = status_of(ncclBcast(d_params, mlp_count(net), ncclFloat, 0, comm, stream));
  if (e == cudaSuccess) e = status_of(ncclBcast(d_m, mlp_count(net), ncclFloat, 0, comm, stream));
  if (e == cudaSuccess) e = status_of(ncclBcast(d_v, mlp_count(net), ncclFloat, 0, comm, stream));
  /* the host knows the step's number, so the losses can be added up where they are */
  if (e == cudaSuccess) e = cudaMemcpyAsync(&done, d_step, sizeof done, cudaMemcpyDeviceToHost, stream);
  if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
  for (int s = done; s < done + steps && e == cudaSuccess; s++) {
    if (mine)
      pick<<<(unsigned)((pixels + 255) / 256), 256, 0, stream>>>(d_images, d_labels, d_order + from, d_step,
                                                                 d.x, d.labels, batch, net.inputs, pixels);
    e = cudaGetLastError();
    if (e == cudaSuccess)
      e = forward(handle, stream, net, mine, d_params, d.x, d.labels, d.hidden, d.probs, d.losses);
    if (e != cudaSuccess) break;
    share_of_loss<<<1, 1, 0, stream>>>(d.losses, mine, batch, d_step, d_losses);
    e = cudaGetLastError();
    if (e == cudaSuccess)
      e = backward(handle, stream, net, mine, batch, d_params, d.x, d.labels, d.hidden, d.probs, d.work,
                   d.grads);
    if (e != cudaSuccess) break;
    ncclGroupStart();
    ncclResult_t r = ncclAllReduce(d.grads, d.grads, mlp_count(net), ncclFloat, ncclSum, comm, stream);
    if (r == ncclSuccess) r = ncclAllReduce(d_losses + s, d_losses + s, 1, ncclFloat, ncclSum, comm, stream);
    const ncclResult_t ended = ncclGroupEnd();
    e = status_of(r == ncclSuccess ? ended : r);
    if (e == cudaSuccess) e = adam(stream, mlp_count(net), rate, d_params, d.grads, d_m, d_v, d_step);
  }
  const cudaError_t w = cudaStreamSynchronize(stream);
  ncclCommDestroy(comm);
  cudaFree(d.x), cudaFree(d.hidden), cudaFree(d.probs), cudaFree(d.losses), cudaFree(d.work),
      cudaFree(d.grads);
  cudaFree(d.labels);
  return e != cudaSuccess ? e : w;
}
