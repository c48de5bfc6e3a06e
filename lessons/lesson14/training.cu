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

/* TODO task 1: two kernels. One adds the bias to each row and takes max(0, ...). The other turns a row of
 * logits into probabilities and a loss. How large may a logit be before exp overflows? */

cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses) {
  /* TODO task 1: put `stream` into the handle; then product, kernel, product, kernel. */
  return cudaSuccess;
}

/* TODO task 2: two kernels. One gives the slope of the loss for each logit, the other that for each hidden
 * number, if its input was positive. Each also adds up its columns: that is a bias's gradient. */

cudaError_t backward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int of,
                     const float *d_params, const float *d_x, const int *d_labels, const float *d_hidden,
                     const float *d_probs, float *d_work, float *d_grads) {
  /* TODO task 2: from the loss back to the first layer. Which matrices are turned over? `product` can. */
  return cudaSuccess;
}

/* TODO task 3: a kernel with a thread for each parameter. When may *d_step change? */

cudaError_t adam(cudaStream_t stream, size_t count, float rate, float *d_params, const float *d_grads,
                 float *d_m, float *d_v, int *d_step) {
  /* TODO task 3: launch it, and count the step. */
  return cudaSuccess;
}

/* TODO task 4: a graph repeats the same calls with the same arguments. So what changes from step to step
 * must be in memory of the device: which images, and where the loss goes. Two kernels read *d_step. */

cudaError_t train(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, int steps, float rate,
                  const float *d_images, const int *d_labels, const int *d_order, float *d_params, float *d_m,
                  float *d_v, int *d_step, float *d_losses) {
  /* TODO task 4: allocate, capture one step, launch its graph `steps` times, wait, release. */
  return cudaSuccess;
}

/* TODO task 5: a kernel that puts the sum of the losses over all ranks to its place. One all-reduce can carry
 * gradients and loss. */

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  /* TODO task 5: as train, for a part of each batch. What must be the same on all ranks before the first
   * step, and what is added up in each? */
  return cudaSuccess;
}

/* TODO further: what must lie in d_columns so that a convolution is one product? Which thread adds up the
 * slopes of one number of d_x? */

cudaError_t conv_forward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                         const float *d_weights, const float *d_x, float *d_columns, float *d_y) {
  /* TODO further: a kernel, and a product. */
  return cudaSuccess;
}

cudaError_t conv_backward(cublasHandle_t handle, cudaStream_t stream, conv c, int batch,
                          const float *d_weights, const float *, const float *d_y_slopes, float *d_columns,
                          float *d_weight_slopes, float *d_x_slopes) {
  /* TODO further: the products of task 2, with columns in the place of x; and a kernel from columns to x. */
  return cudaSuccess;
}

/* TODO further: a layer forward, and back. pool_kernel and unpool_kernel of layers.h are given. */

cudaError_t cnn_forward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, const float *d_params,
                        const float *d_x, const int *d_labels, float *d_work, float *d_probs,
                        float *d_losses) {
  /* TODO further: two convolutions with pooling; the rest is `forward`. */
  return cudaSuccess;
}

cudaError_t cnn_backward(cublasHandle_t handle, cudaStream_t stream, cnn net, int batch, int of,
                         const float *d_params, const int *d_labels, float *d_work, const float *d_probs,
                         float *d_grads) {
  /* TODO further: `backward`, then the slopes of its images, then the convolutions. */
  return cudaSuccess;
}

/* TODO further: tasks 4 and 5 once more. Which gradients are there first, and can be added up meanwhile? */

cudaError_t train_cnn(ncclComm_t comm, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                      cnn net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                      const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                      float *d_losses) {
  /* TODO further: capture a step, with all that the ranks send each other; repeat it. */
  return cudaSuccess;
}
