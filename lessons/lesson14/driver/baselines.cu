/* baselines.cu: see baselines.h. */
#include "baselines.h"
#include "oracle.h"
#include "training.h"

static const float one = 1, zero = 0;

/* The handle of all baselines; null where it cannot be made. */
static cublasHandle_t own_handle() {
  static cublasHandle_t handle;
  if (!handle && cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) handle = nullptr;
  return handle;
}

/* Memory that the baselines work in: it grows, and stays. null: there is none. */
static float *own_memory(size_t floats) {
  static float *d_memory;
  static size_t room;
  if (floats <= room) return d_memory;
  cudaFree(d_memory);
  room = cudaMalloc(&d_memory, floats * sizeof(float)) ? 0 : floats;
  return room ? d_memory : nullptr;
}

/* C = A B by rows, with A or B turned over: C is m x n, sums have k terms. */
static cudaError_t product(cublasOperation_t turn_a, cublasOperation_t turn_b, int m, int n, int k,
                           const float *d_a, const float *d_b, float *d_c) {
  return cuda_error(cublasSgemm(own_handle(), turn_b, turn_a, n, m, k, &one, d_b, turn_b ? k : n, d_a,
                                turn_a ? m : k, &zero, d_c, n));
}

static cudaError_t products_forward(mlp net, int batch, const float *d_params, const float *d_x,
                                    float *d_hidden, float *d_probs) {
  const cudaError_t error =
      product(CUBLAS_OP_N, CUBLAS_OP_N, batch, net.hidden, net.inputs, d_x, d_params, d_hidden);
  return error ? error
               : product(CUBLAS_OP_N, CUBLAS_OP_N, batch, net.outputs, net.hidden, d_hidden,
                         d_params + at_w2(net), d_probs);
}

static cudaError_t products_of_top(mlp net, int batch, const float *d_params, const float *d_hidden,
                                   const float *d_probs, float *d_slopes, float *d_grads) {
  const cudaError_t error = product(CUBLAS_OP_T, CUBLAS_OP_N, net.hidden, net.outputs, batch, d_hidden,
                                    d_probs, d_grads + at_w2(net));
  return error ? error
               : product(CUBLAS_OP_N, CUBLAS_OP_T, batch, net.hidden, net.outputs, d_probs,
                         d_params + at_w2(net), d_slopes);
}

static cudaError_t products_backward(mlp net, int batch, const float *d_params, const float *d_x,
                                     const float *d_hidden, const float *d_probs, float *d_slopes,
                                     float *d_grads) {
  const cudaError_t error = products_of_top(net, batch, d_params, d_hidden, d_probs, d_slopes, d_grads);
  return error ? error
               : product(CUBLAS_OP_T, CUBLAS_OP_N, net.inputs, net.hidden, batch, d_x, d_slopes, d_grads);
}

int forward_products(const wb_case *c) {
  return products_forward(net_of(c), (int)c->size.n[BATCH], wb_f32(c, PARAMS), wb_f32(c, X),
                          wb_f32(c, OUT_HIDDEN), wb_f32(c, OUT_PROBS));
}

int backward_products(const wb_case *c) {
  const size_t hidden = c->size.n[BATCH] * c->size.n[HIDDEN];
  return products_backward(net_of(c), (int)c->size.n[BATCH], wb_f32(c, PARAMS), wb_f32(c, X),
                           wb_f32(c, STATES), wb_f32(c, STATES) + hidden, wb_f32(c, WORK), wb_f32(c, GRADS));
}

/* ---- Steps of training ---- */

/* A network, a batch, and the memory that the steps use. */
struct workspace {
  mlp net;
  int batch;
  float *d_x, *d_hidden, *d_probs, *d_slopes, *d_below, *d_largest, *d_sums, *d_losses, *d_grads;
  int *d_labels;
};

static bool make_workspace(workspace *w, const wb_case *c) {
  w->net = train_net(c);
  w->batch = (int)c->size.n[TRAIN_BATCH];
  const size_t rows = w->batch, x = rows * w->net.inputs, hidden = rows * w->net.hidden,
               probs = rows * w->net.outputs;
  w->d_x = own_memory(x + 2 * hidden + 2 * probs + 4 * rows + mlp_count(w->net));
  if (!w->d_x) return false;
  w->d_hidden = w->d_x + x;
  w->d_below = w->d_hidden + hidden;
  w->d_probs = w->d_below + hidden;
  w->d_slopes = w->d_probs + probs;
  w->d_largest = w->d_slopes + probs;
  w->d_sums = w->d_largest + rows;
  w->d_losses = w->d_sums + rows;
  w->d_labels = (int *)(w->d_losses + rows);
  w->d_grads = w->d_losses + 2 * rows;
  return true;
}

int train_products(const wb_case *c) {
  workspace w;
  if (!make_workspace(&w, c)) return cudaErrorMemoryAllocation;
  cudaError_t error = cudaSuccess;
  const float *d_params = wb_f32(c, STATE);
  for (size_t i = 0; i < c->size.n[STEPS] && !error; i++) {
    error = products_forward(w.net, w.batch, d_params, w.d_x, w.d_hidden, w.d_probs);
    if (!error)
      error = products_backward(w.net, w.batch, d_params, w.d_x, w.d_hidden, w.d_probs, w.d_below, w.d_grads);
  }
  return error;
}

/* One operation each, as a framework's own kernels are. */
static __global__ void gather(const float *from, const int *order, float *to, int width, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[(size_t)order[i / width] * width + i % width];
}
static __global__ void gather_labels(const int *from, const int *order, int *to, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[order[i]];
}
static __global__ void add_bias(float *x, const float *bias, int width, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] += bias[i % width];
}
static __global__ void relu(float *x, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = fmaxf(0, x[i]);
}
static __global__ void row_max(const float *x, float *to, int width, size_t rows) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  to[i] = x[i * width];
  for (int j = 1; j < width; j++) to[i] = fmaxf(to[i], x[i * width + j]);
}
static __global__ void row_sum(const float *x, float *to, int width, size_t rows) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float sum = 0;
  for (int j = 0; j < width; j++) sum += x[i * width + j];
  to[i] = sum;
}
static __global__ void exp_less(float *x, const float *of_row, int width, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = expf(x[i] - of_row[i / width]);
}
static __global__ void divide_rows(float *x, const float *by, int width, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] /= by[i / width];
}
static __global__ void log_of_label(const float *probs, const int *labels, float *losses, int width,
                                    size_t rows) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) losses[i] = -logf(probs[i * width + labels[i]]) / rows;
}
static __global__ void less_label(const float *probs, const int *labels, float *to, int width, size_t count,
                                  float of) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = (probs[i] - (labels[i / width] == (int)(i % width))) / of;
}
static __global__ void mask(const float *x, float *slopes, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && !(x[i] > 0)) slopes[i] = 0;
}
static __global__ void column_sum(const float *x, float *to, int width, int rows) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= width) return;
  float sum = 0;
  for (int i = 0; i < rows; i++) sum += x[(size_t)i * width + j];
  to[j] = sum;
}
static __global__ void moment(float *m, const float *g, float keep, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) m[i] = keep * m[i] + (1 - keep) * g[i];
}
static __global__ void square_moment(float *v, const float *g, float keep, size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) v[i] = keep * v[i] + (1 - keep) * g[i] * g[i];
}
static __global__ void move(float *p, const float *m, const float *v, float rate, float first, float second,
                            size_t count) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) p[i] -= rate * (m[i] / first) / (sqrtf(v[i] / second) + 1e-8f);
}

#define RUN(kernel, n, ...) kernel<<<(unsigned)(((n) + 255) / 256), 256>>>(__VA_ARGS__)

static cudaError_t unfused_step(const workspace *w, const wb_case *c, int step) {
  const mlp net = w->net;
  const size_t rows = w->batch, x = rows * net.inputs, hidden = rows * net.hidden, probs = rows * net.outputs,
               count = mlp_count(net);
  float *d_params = wb_f32(c, STATE), *d_m = d_params + count, *d_v = d_m + count;
  const int *d_order = wb_i32(c, ORDER) + step * rows;
  RUN(gather, x, wb_f32(c, IMAGES), d_order, w->d_x, net.inputs, x);
  RUN(gather_labels, rows, wb_i32(c, IMAGE_LABELS), d_order, w->d_labels, rows);
  cudaError_t error =
      product(CUBLAS_OP_N, CUBLAS_OP_N, w->batch, net.hidden, net.inputs, w->d_x, d_params, w->d_hidden);
  RUN(add_bias, hidden, w->d_hidden, d_params + at_b1(net), net.hidden, hidden);
  RUN(relu, hidden, w->d_hidden, hidden);
  if (!error)
    error = product(CUBLAS_OP_N, CUBLAS_OP_N, w->batch, net.outputs, net.hidden, w->d_hidden,
                    d_params + at_w2(net), w->d_probs);
  RUN(add_bias, probs, w->d_probs, d_params + at_b2(net), net.outputs, probs);
  RUN(row_max, rows, w->d_probs, w->d_largest, net.outputs, rows);
  RUN(exp_less, probs, w->d_probs, w->d_largest, net.outputs, probs);
  RUN(row_sum, rows, w->d_probs, w->d_sums, net.outputs, rows);
  RUN(divide_rows, probs, w->d_probs, w->d_sums, net.outputs, probs);
  RUN(log_of_label, rows, w->d_probs, w->d_labels, w->d_losses, net.outputs, rows);
  RUN(row_sum, 1, w->d_losses, wb_f32(c, LOSSES) + step, w->batch, 1);
  RUN(less_label, probs, w->d_probs, w->d_labels, w->d_slopes, net.outputs, probs, (float)w->batch);
  if (!error)
    error = products_of_top(net, w->batch, d_params, w->d_hidden, w->d_slopes, w->d_below, w->d_grads);
  RUN(column_sum, net.outputs, w->d_slopes, w->d_grads + at_b2(net), net.outputs, w->batch);
  RUN(mask, hidden, w->d_hidden, w->d_below, hidden);
  if (error) return error;
  error = product(CUBLAS_OP_T, CUBLAS_OP_N, net.inputs, net.hidden, w->batch, w->d_x, w->d_below, w->d_grads);
  RUN(column_sum, net.hidden, w->d_below, w->d_grads + at_b1(net), net.hidden, w->batch);
  RUN(moment, count, d_m, w->d_grads, 0.9f, count);
  RUN(square_moment, count, d_v, w->d_grads, 0.999f, count);
  RUN(move, count, d_params, d_m, d_v, RATE, (float)(1 - pow(0.9, step + 1)),
      (float)(1 - pow(0.999, step + 1)), count);
  return error ? error : cudaGetLastError();
}

int train_unfused(const wb_case *c) {
  workspace w;
  if (!make_workspace(&w, c)) return cudaErrorMemoryAllocation;
  cudaError_t error = cudaSuccess;
  const int first = first_step(c);
  for (int i = 0; i < (int)c->size.n[STEPS] && !error; i++) error = unfused_step(&w, c, first + i);
  return error;
}
