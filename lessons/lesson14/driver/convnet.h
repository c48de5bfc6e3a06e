/*
 * convnet.h: the network with convolutions of training.h in double, on the host, with a bound for the error that the
 * same work in float may have. Separate from the learner's code.
 */
#ifndef CONVNET_H
#define CONVNET_H

#include "network.h"

/*
 * Each number has its size next to it: the sum of the magnitudes that went into it. A float sum of n products is off by
 * at most some n eps times that; so what comes out of several layers is off by at most the sum of their n, times eps,
 * times the magnitudes carried through all of them (Higham, Accuracy and Stability of Numerical Algorithms, 3.1).
 */
typedef struct sized {
  double value, size;
} sized;

/* `count` numbers of 0; the program ends if there is no memory for them. Free them with free(). */
sized *sized_new(size_t count);

/* y = x * weights, and back: w_slopes, and x_slopes unless NULL. Arrays as conv_forward's, sizes as they come. */
void convnet_conv(conv c, size_t batch, const sized *weights, const sized *x, sized *y);
void convnet_conv_back(conv c, size_t batch, const sized *weights, const sized *x, const sized *y_slopes,
                       sized *w_slopes, sized *x_slopes);

/* A batch, and the parameters that it meets. */
typedef struct convnet_input {
  cnn net;
  size_t batch;
  const sized *params, *x;
  const int32_t *labels;
} convnet_input;

/* The losses of a batch (batch numbers), the probabilities (NULL: not asked for), and the gradients of the sum of the
 * losses / of (NULL: not asked for). Returns true if float's roundings may decide which of four numbers is the largest,
 * or whether one is cut off at 0: then gradients may be others, by as much as their sizes. */
bool convnet_pass(const convnet_input *in, size_t of, sized *losses, sized *probs, sized *grads);

/* An error is at most this, times eps, times the size: four times the root of the number of roundings in the longest
 * chain of a pass. All of them in one direction, the bound, are never seen. */
double convnet_roundings(cnn net, size_t batch);

#endif
