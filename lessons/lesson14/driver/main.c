/*
 * lesson14, training: the driver. It is the lesson's specification: which functions, at which sizes, what is
 * right. You don't change this file; training.h says what you write in training.cu.
 */
#include "training.h"
#include "wb.h"
#include "baselines.h"
#include "causes.h"
#include "cpu.h"
#include "further.h"
#include "inputs.h"
#include "oracle.h"
#include "oracle_cnn.h"
#include "ranks.h"
#include "school.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- The learner's functions ---- */

typedef struct place {
  cublasHandle_t handle;
  cudaStream_t stream;
  uint64_t handles; /* created before the call */
  bool captured;    /* the call is captured in a graph */
} place;

extern uint64_t cucc_counted(const char *name) __attribute__((weak)); /* of the CPU backend */

static uint64_t handles_created(void) { return cucc_counted ? cucc_counted("handles_created") : 0; }

static cublasHandle_t kept;

/* compute-sanitizer takes what a program leaves for a leak. */
static void destroy_kept(void) { cublasDestroy(kept); }

/* One handle for all calls, as programs have it. Its first product loads kernels. */
static cudaError_t warm_handle(cublasHandle_t *handle) {
  const float one = 1;
  float *d_x = NULL;
  *handle = kept;
  if (kept) return cudaSuccess;
  cudaError_t error = cuda_error(cublasCreate(handle));
  if (!error) error = cudaMalloc((void **)&d_x, 3 * sizeof *d_x);
  if (!error) error = cudaMemset(d_x, 0, 3 * sizeof *d_x);
  if (!error)
    error = cuda_error(
        cublasSgemm(*handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, d_x, 1, d_x + 1, 1, &one, d_x + 2, 1));
  cudaFree(d_x);
  if (!error) {
    kept = *handle;
    atexit(destroy_kept);
  }
  return error;
}

/* Small cases have a stream that does not wait for the default stream, and so have all of train's; large ones,
 * whose time is measured in the default stream, have that. */
static cudaError_t enter(place *p, bool own_stream) {
  *p = (place){0};
  wb_own_calls(1);
  cudaError_t error = warm_handle(&p->handle);
  if (!error) error = cuda_error(cublasSetStream(p->handle, NULL));
  if (!error && own_stream) error = cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking);
  wb_own_calls(0);
  p->handles = handles_created();
  return error;
}

/* Some small batches are captured in a graph, as training.h permits: an empty one, too. */
static cudaError_t capture_if(place *p, const wb_case *c) {
  p->captured = p->stream && (c->size.n[BATCH] == 0 || c->size.n[BATCH] == 3);
  if (!p->captured) return cudaSuccess;
  wb_own_calls(1);
  const cudaError_t error = cudaStreamBeginCapture(p->stream, cudaStreamCaptureModeThreadLocal);
  wb_own_calls(0);
  return error;
}

/* The graph alone gives the answer: what was written in another stream is gone. */
static cudaError_t replay(const place *p, cudaError_t error, float *d_out, size_t count) {
  cudaGraph_t graph = NULL;
  cudaGraphExec_t exec = NULL;
  if (!p->captured) return error;
  wb_own_calls(1);
  const cudaError_t ended = cudaStreamEndCapture(p->stream, &graph);
  if (!error) error = ended;
  if (!error) error = cudaMemset(d_out, 0xff, count * sizeof *d_out);
  if (!error) error = cudaDeviceSynchronize();
  if (!error) error = cudaGraphInstantiate(&exec, graph, 0);
  if (!error) error = cudaGraphLaunch(exec, p->stream);
  if (!error) error = cudaStreamSynchronize(p->stream);
  if (exec) cudaGraphExecDestroy(exec);
  if (graph) cudaGraphDestroy(graph);
  wb_own_calls(0);
  return error;
}

static int leave_after(const place *p, cudaError_t error, bool wait) {
  if (handles_created() > p->handles)
    wb_not_as_asked("created a handle of cuBLAS: use the one that it is given");
  wb_own_calls(1);
  complain_of_capture(p->stream);
  if (p->stream && wait) {
    const cudaError_t waited = cudaStreamSynchronize(p->stream);
    if (!error) error = waited;
  }
  if (p->handle) cublasSetStream(p->handle, NULL);
  if (p->stream) cudaStreamDestroy(p->stream);
  wb_own_calls(0);
  return error;
}

static int leave(const place *p, cudaError_t error) { return leave_after(p, error, true); }

static int needs_ranks(const wb_case *c) { return (int)c->size.n[RANKS]; }

#ifdef NCCL_MISSING
#define no_nccl NCCL_MISSING
#else
#define no_nccl NULL
#endif

static bool is_small(const wb_case *c) { return (double)count_x(c) * (double)c->size.n[HIDDEN] < 1 << 24; }

static int call_forward(const wb_case *c) {
  place p;
  cudaError_t error = enter(&p, is_small(c));
  if (!error) error = capture_if(&p, c);
  if (!error)
    error = forward(p.handle, p.stream, net_of(c), (int)c->size.n[BATCH], wb_f32(c, PARAMS), wb_f32(c, X),
                    wb_i32(c, LABELS), wb_f32(c, OUT_HIDDEN), wb_f32(c, OUT_PROBS), wb_f32(c, OUT_LOSSES));
  error = replay(&p, error, wb_f32(c, OUT_PROBS), count_probs(c));
  return leave(&p, error);
}

static int call_backward(const wb_case *c) {
  place p;
  cudaError_t error = enter(&p, is_small(c));
  if (!error) error = capture_if(&p, c);
  if (!error)
    error = backward(p.handle, p.stream, net_of(c), (int)c->size.n[BATCH], mean_over(c), wb_f32(c, PARAMS),
                     wb_f32(c, X), wb_i32(c, LABELS), wb_f32(c, STATES), wb_f32(c, STATES) + count_hidden(c),
                     wb_f32(c, WORK), wb_f32(c, GRADS));
  error = replay(&p, error, wb_f32(c, GRADS), count_params(c));
  return leave(&p, error);
}

/* Both passes, one after the other, without a wait in between. */
static int call_gradients(const wb_case *c) {
  place p;
  const int batch = (int)c->size.n[BATCH];
  float *d_hidden = wb_f32(c, SUM_WORK), *d_probs = d_hidden + count_hidden(c);
  cudaError_t error = enter(&p, true);
  if (!error)
    error = forward(p.handle, p.stream, net_of(c), batch, wb_f32(c, PARAMS), wb_f32(c, X), wb_i32(c, LABELS),
                    d_hidden, d_probs, wb_f32(c, SUM_LOSSES));
  if (!error)
    error = backward(p.handle, p.stream, net_of(c), batch, batch, wb_f32(c, PARAMS), wb_f32(c, X),
                     wb_i32(c, LABELS), d_hidden, d_probs, d_probs + count_probs(c), wb_f32(c, SUM_GRADS));
  return leave(&p, error);
}

static int call_adam(const wb_case *c) {
  place p;
  cudaError_t error = enter(&p, c->size.n[COUNT] < 1 << 20);
  if (!error)
    error = adam(p.stream, c->size.n[COUNT], RATE, wb_f32(c, ADAM_PARAMS), wb_f32(c, ADAM_GRADS),
                 wb_f32(c, ADAM_M), wb_f32(c, ADAM_V), wb_i32(c, ADAM_STEP));
  return leave(&p, error);
}

static int call_train(const wb_case *c) {
  place p;
  const mlp net = train_net(c);
  float *d_params = wb_f32(c, STATE), *d_m = d_params + mlp_count(net), *d_v = d_m + mlp_count(net);
  cudaError_t error = enter(&p, true);
  if (!error)
    error = train(p.handle, p.stream, net, (int)c->size.n[TRAIN_BATCH], (int)c->size.n[STEPS], RATE,
                  wb_f32(c, IMAGES), wb_i32(c, IMAGE_LABELS), wb_i32(c, ORDER), d_params, d_m, d_v,
                  wb_i32(c, STEP), wb_f32(c, LOSSES));
  /* Without an error nothing waits here: train has, or what it writes comes too late. */
  return leave_after(&p, error, error != cudaSuccess);
}

/* ---- Going further ---- */

static int call_conv_forward(const wb_case *c) {
  place p;
  cudaError_t error = enter(&p, true);
  if (!error)
    error = conv_forward(p.handle, p.stream, conv_of(c), (int)c->size.n[IMAGE_COUNT], wb_f32(c, CONV_WEIGHTS),
                         wb_f32(c, CONV_X), wb_f32(c, CONV_COLUMNS), wb_f32(c, CONV_Y));
  return leave(&p, error);
}

/* conv_forward leaves its columns; its results go to where those of conv_backward will be, and do not matter. */
static int call_conv_backward(const wb_case *c) {
  place p;
  const conv v = conv_of(c);
  const int batch = (int)c->size.n[IMAGE_COUNT];
  float *d_columns = wb_f32(c, CONV_WORK), *d_y = d_columns + count_conv_columns(c);
  cudaError_t error = enter(&p, true);
  if (!error)
    error = conv_forward(p.handle, p.stream, v, batch, wb_f32(c, CONV_WEIGHTS), wb_f32(c, CONV_X), d_columns,
                         d_y);
  if (!error)
    error = conv_backward(p.handle, p.stream, v, batch, wb_f32(c, CONV_WEIGHTS), wb_f32(c, CONV_X),
                          wb_f32(c, CONV_SLOPES), d_columns, wb_f32(c, WEIGHT_SLOPES), wb_f32(c, X_SLOPES));
  return leave(&p, error);
}

static size_t count_conv_work(const wb_case *c) { return count_conv_columns(c) + count_conv_y(c); }

static int call_cnn_backward(const wb_case *c) {
  place p;
  const cnn net = cnn_of(c);
  const int batch = (int)c->size.n[IMAGE_COUNT];
  float *d_work = wb_f32(c, CNN_WORK), *d_probs = d_work + cnn_work(net, batch);
  cudaError_t error = enter(&p, true);
  if (!error)
    error = cnn_forward(p.handle, p.stream, net, batch, wb_f32(c, CNN_PARAMS), wb_f32(c, CNN_X),
                        wb_i32(c, CNN_LABELS), d_work, d_probs, wb_f32(c, CNN_LOSSES));
  if (!error)
    error = cnn_backward(p.handle, p.stream, net, batch, batch, wb_f32(c, CNN_PARAMS), wb_i32(c, CNN_LABELS),
                         d_work, d_probs, wb_f32(c, CNN_GRADS));
  return leave(&p, error);
}

/* ---- Sizes ---- */

static const wb_size forward_sizes[] = {
    {{2, 3, 2, 1}},     {{7, 13, 5, 1}},     {{7, 13, 5, 3}},     {{7, 13, 5, 33}}, {{7, 13, 5, 0}},
    {{200, 90, 3, 21}}, {{1, 1, 1, 1}},      {{5, 4, 1, 6}},      {{3, 1, 40, 5}},  {{64, 33, 10, 17}},
    {{1, 2, 3, 1030}},  {{20, 10, 1030, 3}}, {{1030, 20, 32, 8}}, {{2, 1030, 3, 2}}};
static const wb_size backward_sizes[] = {
    {{2, 3, 2, 3}},      {{7, 13, 5, 1}},   {{7, 13, 5, 3}},  {{7, 13, 5, 33}},   {{7, 13, 5, 0}},
    {{1, 1, 1, 1}},      {{5, 4, 1, 6}},    {{3, 1, 40, 5}},  {{64, 33, 10, 17}}, {{1, 2, 3, 1030}},
    {{20, 10, 1030, 3}}, {{1030, 3, 2, 2}}, {{2, 1030, 3, 2}}};
static const wb_size gradients_sizes[] = {{{2, 3, 2, 2}}, {{7, 13, 5, 1}}, {{7, 13, 5, 3}}, {{7, 13, 5, 33}}};
#define BEYOND_FLOAT ((1 << 24) + 1) /* the first whole number that no float is */
static const wb_size adam_sizes[] = {{{1, 0}},      {{174, 0}},    {{174, 1}},    {{255, 2}},
                                     {{256, 9}},    {{257, 0}},    {{1021, 99}},  {{0, 3}},
                                     {{3001, 999}}, {{300, 5000}}, {{1000003, 2}}};
static const wb_size train_sizes[] = {{{4, 3, 1, 1}},     {{7, 13, 3, 2}},    {{7, 13, 1, 0}},
                                      {{20, 17, 33, 50}}, {{49, 16, 10, 24}}, {{3, 40, 64, 9}},
                                      {{4, 3, 1500, 2}},  {{1031, 3, 5, 2}}};

static const wb_size rank_sizes[] = {{{1, 5, 3, 2}},  {{2, 7, 33, 4}},   {{3, 9, 10, 5}},
                                     {{4, 11, 3, 3}}, {{4, 16, 33, 50}}, {{2, 5, 1500, 2}}};

/* Of convolutions: height, width, channels, images. */
static const wb_size conv_sizes[] = {{{6, 5, 3, 1}},   {{6, 5, 3, 3}},   {{1, 1, 1, 1}},
                                     {{1, 7, 2, 2}},   {{9, 1, 4, 2}},   {{3, 3, 9, 5}},
                                     {{28, 28, 1, 2}}, {{14, 13, 6, 4}}, {{5, 8, 33, 2}}};
static const wb_size cnn_sizes[] = {{{6, 5, 3, 3}}, {{4, 4, 1, 1}}, {{7, 9, 2, 2}}, {{8, 8, 4, 1}}};
static const wb_size train_cnn_sizes[] = {{{1, 6, 1, 1}}, {{1, 7, 3, 2}},  {{1, 5, 2, 0}}, {{1, 6, 10, 8}},
                                          {{2, 5, 7, 4}}, {{3, 6, 10, 5}}, {{4, 6, 3, 3}}};

/* ---- Speed ---- */

static double weights(mlp net) { return (double)net.hidden * (net.inputs + net.outputs); }
static double flops_forward(const wb_case *c) { return 2 * weights(net_of(c)) * (double)c->size.n[BATCH]; }
/* Two products for each of the forward pass, but none for the slopes of the images. */
static double flops_of_backward(mlp net, double batch) {
  return 4 * weights(net) * batch - 2.0 * net.inputs * net.hidden * batch;
}
static double flops_backward(const wb_case *c) {
  return flops_of_backward(net_of(c), (double)c->size.n[BATCH]);
}
static double flops_train(const wb_case *c) {
  const double batch = (double)c->size.n[TRAIN_BATCH];
  const mlp net = train_net(c);
  return (double)c->size.n[STEPS] * (2 * weights(net) * batch + flops_of_backward(net, batch));
}
static double bytes_adam(const wb_case *c) { return 28.0 * (double)c->size.n[COUNT]; }

static const wb_baseline forward_baselines[] = {
    {"products", "its two products alone, by cuBLAS", forward_products, NULL}};
static const wb_baseline backward_baselines[] = {
    {"products", "its three products alone, by cuBLAS", backward_products, NULL}};
static const wb_baseline adam_baselines[] = {{"copy", "a device copy", wb_copy_call, wb_copy_work}};
static const wb_baseline train_baselines[] = {
    {"products", "the products of its steps alone, by cuBLAS", train_products, NULL},
    {"unfused", "steps of a kernel for each operation, launched one by one", train_unfused, NULL}};

/* ---- The table ---- */

#define BATCH_ARRAYS                                                                                         \
  {"d_x", WB_IN, WB_DEVICE, WB_F32, count_x},                                                                \
      {"d_labels", WB_IN, WB_DEVICE, WB_I32, count_batch, WB_PLACES}, {                                      \
    "d_params", WB_IN, WB_DEVICE, WB_F32, count_params                                                       \
  }
#define TABLE(list)    .sizes = list, .size_count = WB_COUNT(list)
#define COMPARED(list) .baselines = list, .baseline_count = WB_COUNT(list)

static const wb_task declared[] = {
    {.name = "forward",
     .what = "a batch through both layers: hidden numbers, probabilities, losses",
     .number = 1,
     .dims = "inputs hidden outputs batch",
     .arrays = {BATCH_ARRAYS,
                {"d_hidden", WB_OUT, WB_DEVICE, WB_F32, count_hidden},
                {"d_probs", WB_OUT, WB_DEVICE, WB_F32, count_probs},
                {"d_losses", WB_OUT, WB_DEVICE, WB_F32, count_batch}},
     TABLE(forward_sizes),
     .timed = {{784, 512, 10, 4096}},
     .trace = {{40, 48, 10, 65}},
     .zeros = zeros_of_batch,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_forward,
     .expect = expect_forward,
     .cause = cause_forward,
     .shape = shape_forward,
     .flops = flops_forward,
     COMPARED(forward_baselines),
     .cpu = forward_cpu,
     .cpu_size = {{784, 512, 10, 256}}},
    {.name = "backward",
     .what = "the gradient of the loss for each parameter",
     .number = 2,
     .dims = "inputs hidden outputs batch",
     .arrays = {BATCH_ARRAYS,
                {"d_hidden_and_probs", WB_INOUT, WB_DEVICE, WB_F32, count_states},
                {"d_work", WB_IN, WB_DEVICE, WB_F32, count_states},
                {"d_grads", WB_OUT, WB_DEVICE, WB_F32, count_params}},
     TABLE(backward_sizes),
     .timed = {{784, 512, 10, 4096}},
     .trace = {{40, 48, 10, 65}},
     .zeros = zeros_of_batch,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_backward,
     .expect = expect_backward,
     .cause = cause_backward,
     .cause_of_none = cause_of_no_gradient,
     .shape = shape_states,
     .flops = flops_backward,
     COMPARED(backward_baselines)},
    {.name = "gradients",
     .what = "forward and backward together, against differences of losses",
     .number = 2,
     .dims = "inputs hidden outputs batch",
     .arrays = {BATCH_ARRAYS,
                {"work", WB_IN, WB_DEVICE, WB_F32, count_sum_work},
                {"d_losses", WB_OUT, WB_DEVICE, WB_F32, count_batch},
                {"d_grads", WB_OUT, WB_DEVICE, WB_F32, count_params}},
     TABLE(gradients_sizes),
     .trace = {{7, 13, 5, 33}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_gradients,
     .expect = expect_gradients,
     .shape = shape_gradients},
    {.name = "adam",
     .what = "a step of Adam for all parameters",
     .number = 3,
     .dims = "count step",
     .arrays = {{"d_params", WB_INOUT, WB_DEVICE, WB_F32, count_adam},
                {"d_grads", WB_IN, WB_DEVICE, WB_F32, count_adam},
                {"d_m", WB_INOUT, WB_DEVICE, WB_F32, count_adam},
                {"d_v", WB_INOUT, WB_DEVICE, WB_F32, count_adam},
                {"d_step", WB_INOUT, WB_DEVICE, WB_I32, count_one, WB_FIXED}},
     TABLE(adam_sizes),
     .timed = {{1 << 24, 9}},
     .large = {{(1u << 29) + 3, 2}},
     .huge = {{(1u << 31) + 11, 2}},
     .reach = {{{BEYOND_FLOAT, 2}}, {{((size_t)65 << 25) + 11, 2}}},
     .trace = {{2051, 4}},
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_adam,
     .expect = expect_adam,
     .cause = cause_adam,
     .shape = shape_adam,
     .bytes = bytes_adam,
     COMPARED(adam_baselines),
     .cpu = adam_cpu},
    {.name = "train",
     .what = "steps of training without the host",
     .number = 4,
     .dims = "inputs hidden batch steps",
     .arrays = {{"d_images", WB_IN, WB_DEVICE, WB_F32, count_images},
                {"d_labels", WB_IN, WB_DEVICE, WB_I32, count_data, WB_PLACES},
                {"d_order", WB_IN, WB_DEVICE, WB_I32, count_order, WB_PLACES},
                {"d_losses", WB_INOUT, WB_DEVICE, WB_F32, count_losses},
                {"d_params_m_v", WB_INOUT, WB_DEVICE, WB_F32, count_state},
                {"d_step", WB_INOUT, WB_DEVICE, WB_I32, count_one, WB_FIXED}},
     TABLE(train_sizes),
     .timed = {{784, 512, 128, 50}},
     .trace = {{20, 17, 33, 50}},
     .failing = {{7, 13, 3, 2}},
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_train,
     .expect = expect_train,
     .cause = cause_train,
     .shape = shape_train,
     .flops = flops_train,
     COMPARED(train_baselines),
     .cpu = train_cpu},
    {.name = "train_rank",
     .what = "the same by several devices, a part of each batch each",
     .number = 5,
     .dims = "ranks hidden batch steps",
     .arrays = {{"d_images", WB_IN, WB_DEVICE, WB_F32, count_rank_images},
                {"d_labels", WB_IN, WB_DEVICE, WB_I32, count_data, WB_PLACES},
                {"d_order", WB_IN, WB_DEVICE, WB_I32, count_order, WB_PLACES},
                {"d_losses", WB_INOUT, WB_DEVICE, WB_F32, count_losses},
                {"d_params_m_v", WB_INOUT, WB_DEVICE, WB_F32, count_rank_state},
                {"d_step_and_ranks_that_differ", WB_INOUT, WB_DEVICE, WB_I32, count_step_of_ranks, WB_FIXED}},
     TABLE(rank_sizes),
     .trace = {{3, 17, 20, 10}},
     .failing = {{1, 5, 3, 2}},
     .missing = no_nccl,
     .devices = needs_ranks,
     .in_threads = 1,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_train_rank,
     .expect = expect_train_rank,
     .cause = cause_train_rank,
     .shape = shape_train_rank},
    {.name = "conv_forward",
     .what = "a convolution of 3 x 3",
     .dims = "height width channels images",
     .arrays = {{"d_weights", WB_IN, WB_DEVICE, WB_F32, count_conv_weights},
                {"d_x", WB_IN, WB_DEVICE, WB_F32, count_conv_x},
                {"d_columns", WB_IN, WB_DEVICE, WB_F32, count_conv_columns},
                {"d_y", WB_OUT, WB_DEVICE, WB_F32, count_conv_y}},
     TABLE(conv_sizes),
     .trace = {{14, 14, 6, 30}},
     .in_library = 1,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_conv_forward,
     .expect = expect_conv_forward,
     .cause = cause_conv_forward},
    {.name = "conv_backward",
     .what = "its way back: the slopes of the weights and of the images",
     .dims = "height width channels images",
     .arrays = {{"d_weights", WB_IN, WB_DEVICE, WB_F32, count_conv_weights},
                {"d_x", WB_IN, WB_DEVICE, WB_F32, count_conv_x},
                {"d_y_slopes", WB_IN, WB_DEVICE, WB_F32, count_conv_y},
                {"work", WB_IN, WB_DEVICE, WB_F32, count_conv_work},
                {"d_weight_slopes", WB_OUT, WB_DEVICE, WB_F32, count_conv_weights},
                {"d_x_slopes", WB_OUT, WB_DEVICE, WB_F32, count_conv_x}},
     TABLE(conv_sizes),
     .trace = {{14, 14, 6, 30}},
     .in_library = 1,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_conv_backward,
     .expect = expect_conv_backward},
    {.name = "cnn_backward",
     .what = "cnn_forward and cnn_backward together, against differences of losses",
     .dims = "height width channels images",
     .arrays = {{"d_params", WB_IN, WB_DEVICE, WB_F32, count_cnn_params},
                {"d_x", WB_IN, WB_DEVICE, WB_F32, count_cnn_x},
                {"d_labels", WB_IN, WB_DEVICE, WB_I32, count_cnn_labels, WB_PLACES},
                {"work", WB_IN, WB_DEVICE, WB_F32, count_cnn_work},
                {"d_losses", WB_OUT, WB_DEVICE, WB_F32, count_cnn_labels},
                {"d_grads", WB_OUT, WB_DEVICE, WB_F32, count_cnn_params}},
     TABLE(cnn_sizes),
     .trace = {{7, 9, 2, 2}},
     .in_library = 1,
     .done = WB_IN_DEFAULT_STREAM,
     .releases = 1,
     .call = call_cnn_backward,
     .expect = expect_cnn,
     .shape = shape_cnn},
    {.name = "train_cnn",
     .what = "steps of its training, by one device or several",
     .dims = "ranks side batch steps",
     .arrays = {{"d_images", WB_IN, WB_DEVICE, WB_F32, count_cnn_images},
                {"d_labels", WB_IN, WB_DEVICE, WB_I32, count_data, WB_PLACES},
                {"d_order", WB_IN, WB_DEVICE, WB_I32, count_order, WB_PLACES},
                {"d_losses", WB_INOUT, WB_DEVICE, WB_F32, count_losses},
                {"d_params_m_v", WB_INOUT, WB_DEVICE, WB_F32, count_cnn_state},
                {"d_step_and_ranks_that_differ", WB_INOUT, WB_DEVICE, WB_I32, count_step_of_ranks, WB_FIXED}},
     TABLE(train_cnn_sizes),
     .trace = {{3, 6, 10, 20}},
     .failing = {{1, 7, 3, 2}},
     .devices = needs_ranks,
     .in_threads = 1,
     .one_device = no_nccl,
     .done = WB_COMPLETE,
     .releases = 1,
     .call = call_train_cnn,
     .expect = expect_train_cnn,
     .shape = shape_train_cnn},
};

static wb_task tasks[WB_COUNT(declared)]; /* the same, by note_missing */

static const wb_lesson lesson = {.name = "lesson14",
                                 .title = "training",
                                 .tasks = tasks,
                                 .task_count = WB_COUNT(tasks),
                                 .picture = school};

/* An answer may be without the functions of going further: then these are not measured. */
static void note_missing(void) {
  for (size_t i = 0; i < WB_COUNT(tasks); i++) {
    tasks[i] = declared[i];
    const char *name = tasks[i].name;
    if ((!strcmp(name, "conv_forward") && !conv_forward) || (!strcmp(name, "train_cnn") && !train_cnn) ||
        (!strcmp(name, "conv_backward") && (!conv_forward || !conv_backward)) ||
        (!strcmp(name, "cnn_backward") && (!cnn_forward || !cnn_backward)))
      tasks[i].missing = "training.cu does not have its function";
  }
}

int main(int argc, char **argv) {
  note_missing();
  setenv("CUCC_DEVICES", "4", 0); /* the CPU backend: as many devices as task 5 has ranks */
  return wb_main(argc, argv, &lesson);
}
