/*
 * lesson14, training: a network of two layers learns, without a framework.
 *
 * A batch goes forward through the layers, and the slope of the loss goes backward: each step multiplies by
 * the same matrices, turned over. Adam moves the parameters, and a graph repeats all of it.
 *
 * training.h says what each function must do. d_ is memory of the device. Matrices are by rows.
 */
#include "training.h"

#define BLOCK 256 /* threads of a block */

static unsigned blocks_for(size_t n) { return (unsigned)((n + BLOCK - 1) / BLOCK); }

/*
 * C = A B as lesson11 has it: A is m x k, B is k x n, C is m x n, all by rows. With `turn_a`, d_a holds the
 * transpose of A, k x m; with `turn_b`, d_b holds that of B, n x k. The handle must have its stream already.
 */
static cudaError_t product(cublasHandle_t handle, bool turn_a, bool turn_b, int m, int n, int k,
                           const float *d_a, const float *d_b, float *d_c) {
  const float one = 1, zero = 0;
  const int lda = turn_a ? m : k, ldb = turn_b ? k : n;
  return cuda_error(cublasSgemm(handle, turn_b ? CUBLAS_OP_T : CUBLAS_OP_N,
                                turn_a ? CUBLAS_OP_T : CUBLAS_OP_N, n, m, k, &one, d_b, ldb > 1 ? ldb : 1,
                                d_a, lda > 1 ? lda : 1, &zero, d_c, n > 1 ? n : 1));
}

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

/* TODO task 5: a kernel that adds up the losses of this rank's images and divides by the whole batch, and one
 * that puts the sum over all ranks to its place. One all-reduce can carry gradients and loss. */

cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses) {
  /* TODO task 5: as train, for a part of each batch. What must be the same on all ranks before the first
   * step, and what is added up in each? */
  return cudaSuccess;
}
