/*
 * layers.h: given, for training.cu. A product of matrices by rows; and for going further pooling, forward and back, and
 * where everything lies in the memory that the network of two convolutions works in. training.h explains the network.
 */
#ifndef LAYERS_H
#define LAYERS_H

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

/* ---- Further ---- */

/* For kernels with a thread for each of `numbers` numbers of a place: block (image, part of it). Within an image int is
 * enough for every number, and a division of ints costs a fraction of one of size_t. */
static dim3 blocks_of_images(conv c, int numbers, int batch) {
  return dim3((unsigned)batch, blocks_for((size_t)c.height * c.width * numbers));
}

/* A pooled number is max(0, the largest of four of y, and the bias): the largest stays so when all move. */
static __global__ void pool_kernel(conv c, const float *d_y, const float *d_bias, float *d_pooled) {
  const int i = blockIdx.y * blockDim.x + threadIdx.x, width = c.width / 2, height = c.height / 2;
  if (i >= height * width * c.to) return;
  const int channel = i % c.to, row = i / c.to / width, column = i / c.to % width, below = c.width * c.to;
  const float *y =
      d_y + (size_t)blockIdx.x * c.height * below + (2 * row * c.width + 2 * column) * c.to + channel;
  const float largest = fmaxf(fmaxf(y[0], y[c.to]), fmaxf(y[below], y[below + c.to]));
  d_pooled[(size_t)blockIdx.x * height * width * c.to + i] = fmaxf(0, largest + d_bias[channel]);
}

/* The slope of a pooled number goes to the first of its four that is the largest, by rows; the others get 0, and so
 * does a last row or column that is in no four. A thread for each number of y. */
static __global__ void unpool_kernel(conv c, const float *d_y, const float *d_pooled_slopes,
                                     float *d_y_slopes) {
  const int i = blockIdx.y * blockDim.x + threadIdx.x, width = c.width / 2, height = c.height / 2;
  if (i >= c.height * c.width * c.to) return;
  const int channel = i % c.to, row = i / c.to / c.width, column = i / c.to % c.width;
  const size_t image = (size_t)blockIdx.x * c.height * c.width * c.to;
  float slope = 0;
  if (row / 2 < height && column / 2 < width) {
    const float *y = d_y + image + i - (row % 2 * c.width + column % 2) * c.to; /* the first of the four */
    int best = 0;
    for (int k = 1; k < 4; k++)
      if (y[(k / 2 * c.width + k % 2) * c.to] > y[(best / 2 * c.width + best % 2) * c.to]) best = k;
    if (best == row % 2 * 2 + column % 2)
      slope =
          d_pooled_slopes[(((size_t)blockIdx.x * height + row / 2) * width + column / 2) * c.to + channel];
  }
  d_y_slopes[image + i] = slope;
}

/* A convolution with all that comes after it, in the memory that the whole network works in. */
struct conv_layer {
  conv c;
  float *d_columns, *d_y, *d_pooled, *d_pooled_slopes, *d_y_slopes;
};

/* Where the layers' memory begins in d_work: the convolutions, then the hidden numbers, then slopes for backward. */
struct cnn_layers {
  conv_layer first, second;
  float *d_hidden, *d_top_work;
};

static conv_layer layer_at(float *d_work, conv c, int batch) {
  float *d_y = d_work + conv_places(c, batch) * 9 * c.from, *d_pooled = d_y + 2 * conv_count(c, batch);
  return {c, d_work, d_y, d_pooled, d_pooled + pooled_count(c, batch), d_y + conv_count(c, batch)};
}

static cnn_layers layers_at(float *d_work, cnn net, int batch) {
  float *d_second = d_work + layer_work(cnn_first(net), batch),
        *d_hidden = d_second + layer_work(cnn_second(net), batch);
  return {layer_at(d_work, cnn_first(net), batch), layer_at(d_second, cnn_second(net), batch), d_hidden,
          d_hidden + (size_t)batch * net.hidden};
}

/* What a step of the whole network works with. The loss lies after the gradients: one more number. */
struct cnn_memory {
  int *d_labels; /* the beginning of the one allocation */
  float *d_x, *d_work, *d_probs, *d_losses, *d_grads;
};

static cudaError_t allocate(cnn_memory *w, cnn net, int batch) {
  const size_t rows = batch, x = rows * net.height * net.width, probs = rows * net.outputs;
  const size_t floats = x + cnn_work(net, batch) + probs + rows + cnn_count(net) + 1;
  const cudaError_t full = cudaMalloc(&w->d_labels, sizeof(int) * rows + sizeof(float) * floats);
  if (full) return full;
  w->d_x = (float *)(w->d_labels + rows);
  w->d_work = w->d_x + x;
  w->d_probs = w->d_work + cnn_work(net, batch);
  w->d_losses = w->d_probs + probs;
  w->d_grads = w->d_losses + rows;
  return cudaSuccess;
}

#endif
