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
 * array that you write held before does not matter. Everything is computed in float, without TF32.
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

/* Without NCCL (or with -DNO_NCCL) its calls give errors, and task 5 is not measured on a GPU. */
#if __has_include(<nccl.h>) && !defined NO_NCCL
#include <nccl.h>
#else
#define NCCL_MISSING
#ifdef __cplusplus
extern "C" {
#endif
typedef struct ncclComm *ncclComm_t;
typedef struct {
  char internal[128];
} ncclUniqueId;
typedef enum { ncclSuccess = 0, ncclSystemError = 2, ncclInvalidArgument = 4 } ncclResult_t;
typedef enum { ncclSum = 0, ncclAvg = 4 } ncclRedOp_t;
typedef enum { ncclInt = 2, ncclFloat = 7 } ncclDataType_t;
const char *ncclGetErrorString(ncclResult_t result);
ncclResult_t ncclGetUniqueId(ncclUniqueId *id);
ncclResult_t ncclCommInitRank(ncclComm_t *comm, int ranks, ncclUniqueId id, int rank);
ncclResult_t ncclCommDestroy(ncclComm_t comm);
ncclResult_t ncclGroupStart(void);
ncclResult_t ncclGroupEnd(void);
ncclResult_t ncclAllReduce(const void *send, void *receive, size_t count, ncclDataType_t type, ncclRedOp_t op,
                           ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclBroadcast(const void *send, void *receive, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, cudaStream_t stream);
ncclResult_t ncclBcast(void *buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream);
#ifdef __cplusplus
}
#endif
#endif

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
 * The products are made by cuBLAS.
 * Logits may be of any size: no exp may overflow, and a loss is right though its probability underflows to 0.
 */
cudaError_t forward(cublasHandle_t handle, cudaStream_t stream, mlp net, int batch, const float *d_params,
                    const float *d_x, const int *d_labels, float *d_hidden, float *d_probs, float *d_losses);

/*
 * Task 2. The backward pass: the gradient of (the sum of the batch's losses) / `of`, for every parameter.
 * `of` >= 1 is the number of images over which the mean is taken: the batch, or more, if the batch is one part
 * of a larger one. d_hidden and d_probs are what forward gave, and stay as they are. d_work has room for
 * batch * (hidden + outputs) floats. With an empty batch all gradients are 0. The products are made by cuBLAS.
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
 * it. train may allocate before its first step. It waits until the last one is done. `stream` is not the default
 * stream. The handle has been used before, so its kernels are loaded.
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
 * roundings. Each writes the mean loss of the whole batch. A graph is not asked for.
 */
cudaError_t train_rank(ncclUniqueId id, int rank, int ranks, cublasHandle_t handle, cudaStream_t stream,
                       mlp net, int batch, int steps, float rate, const float *d_images, const int *d_labels,
                       const int *d_order, float *d_params, float *d_m, float *d_v, int *d_step,
                       float *d_losses);

#ifdef __cplusplus
}
#endif
#endif
