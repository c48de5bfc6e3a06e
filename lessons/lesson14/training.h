/*
 * lesson14, training: the functions you write, in training.cu. README.md is the lesson.
 *
 * The network has two layers. For an image x of `inputs` numbers it computes
 *
 *     hidden = max(0, x W1 + b1)        `hidden` numbers
 *     logits = hidden W2 + b2           `outputs` numbers, one for each class
 *     probs  = softmax(logits)          probs[j] = exp(logits[j]) / (exp(logits[0]) + exp(logits[1]) + ...)
 *     loss   = -ln(probs[label])        label is the class that the image belongs to
 *
 * All matrices are floats by rows. A batch is a matrix with an image in each row. W1 is inputs x hidden, W2 is
 * hidden x outputs. All parameters lie in one array, and so do their gradients and Adam's moments:
 *
 *     W1 (inputs x hidden) | b1 (hidden) | W2 (hidden x outputs) | b2 (outputs)
 *
 * inputs, hidden and outputs are at least 1, `batch` and `steps` may be 0. d_ is memory of the device. What an
 * array that you write held before does not matter, be it NaN. Everything is computed in float, without TF32. All
 * inputs and right results are finite, and 0 and -0 count as equal.
 *
 * `handle` is the caller's, from cublasCreate, and its settings are the ones it has from there, but for its
 * stream, which may be any. All work goes into `stream`, which does not wait for the default stream. forward,
 * backward and adam queue their work and return without waiting for it, and they may be captured in a graph.
 *
 * Each function returns cudaSuccess, or the error of the first call that failed; for one of cuBLAS that is
 * cuda_error(status). What it allocates or creates, it releases.
 */
#ifndef LESSON_TRAINING_H
#define LESSON_TRAINING_H

#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include "wb_nccl.h" /* without NCCL, task 5 is not measured on a GPU */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mlp {
  int inputs, hidden, outputs;
} mlp;

#ifdef __CUDACC__
#define OF_NETWORK static inline __host__ __device__ /* for your kernels, too */
#else
#define OF_NETWORK static inline
#endif

/* Where each part of the parameters begins, and how many there are. W1 begins at 0. */
OF_NETWORK size_t at_b1(mlp net) { return (size_t)net.inputs * (size_t)net.hidden; }
OF_NETWORK size_t at_w2(mlp net) { return at_b1(net) + (size_t)net.hidden; }
OF_NETWORK size_t at_b2(mlp net) { return at_w2(net) + (size_t)net.hidden * (size_t)net.outputs; }
OF_NETWORK size_t mlp_count(mlp net) { return at_b2(net) + (size_t)net.outputs; }

/* What your functions return when a call of cuBLAS returned `status`. */
static inline cudaError_t cuda_error(cublasStatus_t status) {
  switch (status) {
  case CUBLAS_STATUS_SUCCESS:
    return cudaSuccess;
  case CUBLAS_STATUS_NOT_INITIALIZED:
    return cudaErrorInitializationError;
  case CUBLAS_STATUS_ALLOC_FAILED:
    return cudaErrorMemoryAllocation;
  case CUBLAS_STATUS_INVALID_VALUE:
    return cudaErrorInvalidValue;
  case CUBLAS_STATUS_ARCH_MISMATCH:
  case CUBLAS_STATUS_NOT_SUPPORTED:
    return cudaErrorNotSupported;
  case CUBLAS_STATUS_EXECUTION_FAILED:
    return cudaErrorLaunchFailure;
  default:
    return cudaErrorUnknown;
  }
}

/*
 * Task 1. The forward pass of a batch: d_x (batch x inputs) and d_labels (batch, each from 0 to outputs - 1)
 * give d_hidden (batch x hidden), d_probs (batch x outputs) and d_losses (batch), the loss of each image.
 * The products are made by cuBLAS; kernels and products are at most 7.
 * Logits may be of any size: no exp may overflow, and a loss is right though its probability underflows to 0.
 */
cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses);

/*
 * Task 2. The backward pass: the gradient of (the sum of the batch's losses) / `of`, for every parameter.
 * `of` >= 1 is the number of images over which the mean is taken: the batch, or more, if the batch is one part
 * of a larger one. d_hidden and d_probs are what forward gave, and stay as they are. d_work has room for
 * batch * (hidden + outputs) floats. With an empty batch all gradients are 0. The products are made by cuBLAS; kernels
 * and products are at most 9.
 */
cudaError_t backward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int of,
                     const float *d_params, const float *d_x, const int *d_labels, const float *d_hidden,
                     const float *d_probs, float *d_work, float *d_grads);

/*
 * Task 3. A step of Adam (Kingma and Ba, 2015) for `count` parameters p with gradients g and moments m, v.
 * *d_step is the number of steps that were made before; the function adds 1 to it. With t = *d_step + 1:
 *
 *     m = 0.9 m + 0.1 g             v = 0.999 v + 0.001 g^2
 *     p = p - rate * (m / (1 - 0.9^t)) / (sqrt(v / (1 - 0.999^t)) + 1e-8)
 */
cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step);

/*
 * Task 4. `steps` steps of training. Each step is forward, backward and adam with `rate`, for the mean loss of
 * `batch` >= 1 images. The data set is d_images (n x inputs) with d_labels (n). Step number s, counted by *d_step
 * from 0, takes the images with the numbers d_order[s * batch], ..., d_order[s * batch + batch - 1], and writes
 * their mean loss, as it was before the step, to d_losses[s]. All other losses stay as they are.
 *
 * d_params, d_m, d_v and *d_step are the state of the training: another call goes on from there.
 *
 * The step does without the host: nothing is copied or allocated from one step to the next, and a graph repeats
 * it: a graph may hold one step or all of them, a step is at most 22 kernels and products, and the host queues
 * nothing for it. train may allocate before its first step. It waits until the last one is done. `stream` is
 * not the default stream. The handle has been used before, so its kernels are loaded.
 */
cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses);

/* The same for a result of NCCL. If a call of CUDA failed within NCCL, it is the error of that call. */
static inline cudaError_t nccl_error(ncclResult_t result) {
  switch (result) {
  case ncclSuccess:
    return cudaSuccess;
  case ncclUnhandledCudaError: {
    const cudaError_t error = cudaPeekAtLastError();
    return error ? error : cudaErrorUnknown;
  }
  case ncclInvalidArgument:
    return cudaErrorInvalidValue;
  default:
    return cudaErrorUnknown;
  }
}

/*
 * Task 5. As train, by `ranks` ranks at once: each has its own device, which is current, and calls the function
 * with its number `rank` from 0, with the same id, and with a handle, a stream and arrays of its device. Rank r takes
 * the images batch * r / ranks, ..., batch * (r + 1) / ranks - 1 of each batch (divided as ints, so the parts may
 * differ in size, and be empty). It has the pixels of its own images only.
 *
 * Before the first step all ranks get the parameters and moments of rank 0; *d_step is the same everywhere. After
 * each step all ranks have the same parameters and moments, bit for bit: those that one device would get, but for
 * roundings. Each writes the mean loss of the whole batch. A graph may repeat the step, NCCL's calls too.
 */
cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses);

/*
 * ---- Further: a network with convolutions ----
 *
 * An image has height x width places, each with a number for each channel: number (row, column, channel) is at
 * (row * width + column) * channels + channel, and the images of a batch lie one after the other. Here a batch has one
 * image at least.
 *
 *     x        height x width, 1 channel
 *     y1       convolution of x: as large, `first` channels
 *     p1       pooled from y1 with bias: height/2 x width/2
 *     y2       convolution of p1: `second` channels
 *     p2       pooled from y2 with bias: height/4 x width/4, `second` channels
 *     then hidden, logits, probs and loss as above, with the numbers of p2 as inputs
 *
 * Sizes are divided as ints: a last row or column may be in no pooled place. height and width are at least 4.
 */
typedef struct conv {
  int height, width, from, to; /* channels of x, channels of y */
} conv;

typedef struct cnn {
  int height, width, first, second, hidden, outputs;
} cnn;

/* Its three parts, and where their parameters begin: weights | bias | weights | bias | those of the top as above. A
 * convolution's weights are a matrix by rows, (9 * from) x to; its bias has `to` numbers. The first begins at 0. */
OF_NETWORK conv cnn_first(cnn net) {
  const conv c = {net.height, net.width, 1, net.first};
  return c;
}
OF_NETWORK conv cnn_second(cnn net) {
  const conv c = {net.height / 2, net.width / 2, net.first, net.second};
  return c;
}
OF_NETWORK mlp cnn_top(cnn net) {
  const mlp top = {net.height / 2 / 2 * (net.width / 2 / 2) * net.second, net.hidden, net.outputs};
  return top;
}
OF_NETWORK size_t conv_weights(conv c) { return 9 * (size_t)c.from * (size_t)c.to; }
OF_NETWORK size_t at_second(cnn net) { return conv_weights(cnn_first(net)) + (size_t)net.first; }
OF_NETWORK size_t at_top(cnn net) {
  return at_second(net) + conv_weights(cnn_second(net)) + (size_t)net.second;
}
OF_NETWORK size_t cnn_count(cnn net) { return at_top(net) + mlp_count(cnn_top(net)); }

/* How many numbers x without its channels has, y, and what y is pooled to. */
OF_NETWORK size_t conv_places(conv c, int batch) {
  return (size_t)batch * (size_t)c.height * (size_t)c.width;
}
OF_NETWORK size_t conv_count(conv c, int batch) { return conv_places(c, batch) * (size_t)c.to; }
OF_NETWORK size_t pooled_count(conv c, int batch) {
  return (size_t)batch * (size_t)(c.height / 2) * (size_t)(c.width / 2) * (size_t)c.to;
}

/* The floats that a pass of a layer, and of the network, may work in: use them as you like. */
OF_NETWORK size_t layer_work(conv c, int batch) {
  return conv_places(c, batch) * 9 * (size_t)c.from + 2 * (conv_count(c, batch) + pooled_count(c, batch));
}
OF_NETWORK size_t cnn_work(cnn net, int batch) {
  return layer_work(cnn_first(net), batch) + layer_work(cnn_second(net), batch) +
         (size_t)batch * (2 * (size_t)net.hidden + (size_t)net.outputs);
}

/*
 * A convolution: d_x (height x width, `from` channels) gives d_y (height x width, `to` channels). With d_weights as
 * weights[3][3][from][to], and x = 0 outside the image,
 *
 *     y[row][column][k] = sum over i, j, channel of x[row + i - 1][column + j - 1][channel] * weights[i][j][channel][k]
 *
 * d_columns has room for 9 * from floats for each place of the batch. The products are made by cuBLAS; kernels and
 * products are at most 24, in each direction.
 */
cudaError_t conv_forward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                         const float *d_weights, const float *d_x, float *d_columns, float *d_y);

/*
 * Its way back: d_y_slopes, the slopes of the loss for the numbers of y, give those for the weights and, unless
 * d_x_slopes is null, for x. d_columns holds what conv_forward left there for the same x, and may change.
 */
cudaError_t conv_backward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                          const float *d_weights, const float *d_x, const float *d_y_slopes, float *d_columns,
                          float *d_weight_slopes, float *d_x_slopes);

/*
 * As forward and backward, for the whole network. A number of p is max(0, m + bias of its channel), where m is the
 * largest of its four numbers of y, 2 x 2 places; its slope belongs to the first of them that is m, by rows. d_work
 * has room for cnn_work(net, batch) floats; backward finds there what forward left.
 */
cudaError_t cnn_forward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, const float *d_params,
                        const float *d_x, const int *d_labels, float *d_work, float *d_probs,
                        float *d_losses);
cudaError_t cnn_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, int of,
                         const float *d_params, const int *d_labels, float *d_work, const float *d_probs,
                         float *d_grads);

/*
 * As train for this network, and, with `ranks` > 1, as train_rank: then `comm` is the communicator that the ranks have,
 * the caller's. With one rank it is null. A graph repeats the step, NCCL's calls too; a step is at most 120 kernels and
 * products.
 */
cudaError_t train_cnn(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                      cnn net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                      const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                      float *d_losses);

#ifdef __cplusplus
}
#endif
#endif
