/*
 * network.h: the network of training.h in double, on the host, with a bound for the error that the same work in
 * float may have. Separate from the learner's code.
 *
 * The bounds follow from the roundings: a float sum of n products, in any order, is off by at most some n eps
 * times the sum of their magnitudes (Higham, Accuracy and Stability of Numerical Algorithms, 3.1), and errors of
 * the numbers that come in are carried on.
 */
#ifndef NETWORK_H
#define NETWORK_H

#include "training.h"
#include "wb.h"

#include <stdbool.h>
#include <stdint.h>

/* A batch, and the parameters that it meets. Matrices are by rows. */
typedef struct net_input {
  mlp net;
  size_t batch;
  const double *params, *x;
  const int32_t *labels;
  wb_window zeros; /* factors that count as 0 in the products that the library makes: wb_task.zeros */
} net_input;

/* Numbers, each with the largest error that float may add. */
typedef struct net_numbers {
  double *value, *error;
} net_numbers;

/* What a forward pass gives. `before` is what becomes max(0, before). */
typedef struct net_states {
  net_numbers before, hidden, probs, losses;
} net_states;

/* `count` numbers of 0 with errors of 0; the program ends if there is no memory for them. */
net_numbers numbers_new(size_t count);
void numbers_free(net_numbers *n);
net_states states_new(mlp net, size_t batch);
void states_free(net_states *s);

void network_forward(const net_input *in, net_states *out);

/* The gradient of the sum of the losses divided by `of`. Where the errors of `at` leave open whether a hidden
 * number is 0, the bound covers both. */
void network_backward(const net_input *in, size_t of, const net_states *at, net_numbers *grads);

/* One step of Adam, the t-th from 1, in double. */
void network_adam(size_t count, double rate, int t, double *params, const double *grads, double *m,
                  double *v);

/* The mean loss of a batch. */
double network_loss(const net_input *in);

#endif
